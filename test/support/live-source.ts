// A live source on loopback: it answers as a test says and records what it receives.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { CommandInput } from '../../functions/admin/commands.ts';
import type { Home } from './given.ts';
import { admin } from './service.ts';

interface Asked {
  headers: Record<string, string>;
  raw: string;
  // Tests read bodies freely.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

/** A page, or what writes the response itself. */
type Answer = object | ((response: ServerResponse) => void);

export interface LiveSource {
  url: string;
  asked: Asked[];
  close(): void;
}

/** Answers with a status. */
export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end('{}');

/** Answers with these bytes. */
export const bytes = (body: string | Buffer) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(body);

/** Listens until it is closed. `answer` gets the number of the request, from 0. */
export async function liveSource(answer: (asked: Asked, number: number) => Answer): Promise<LiveSource> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const raw = Buffer.concat(parts).toString();
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
    const one = { headers: Object.fromEntries(headers), raw, body: raw === '' ? undefined : JSON.parse(raw) };
    asked.push(one);
    const reply = answer(one, asked.length - 1);
    if (typeof reply === 'function') reply(response);
    else bytes(JSON.stringify(reply))(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return {
    url: `http://127.0.0.1:${address.port}/records`,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type SourceFile = Extract<CommandInput, { command: 'source.create' }>['source'];

/** Sets up a source of a workspace; returns its secret. */
export async function setUp({ workspace_id }: Home, source: SourceFile): Promise<string> {
  return (await admin({ command: 'source.create', workspace_id, source })).secret;
}

// A customer's server on loopback: it answers as configured and records what it receives.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll } from 'vitest';

export interface Received {
  at: number;
  headers: Record<string, string>;
  body: Buffer;
}

export interface CustomerServer {
  url: string;
  received: Received[];
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

type Answer = (response: ServerResponse, socket: Socket, request: IncomingMessage) => void;

/** Answers with a status and an empty body. */
export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => void response.writeHead(code, headers).end();
}

/** Listens until the tests of the file are over. The n-th request gets the n-th answer, later ones the last. */
export async function customer(...answers: Answer[]): Promise<CustomerServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
    received.push({ at: Date.now(), headers: Object.fromEntries(headers), body: Buffer.concat(parts) });
    answers[Math.min(received.length, answers.length) - 1]?.(response, request.socket, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return { url: `http://127.0.0.1:${address.port}/hook?x=1`, received };
}

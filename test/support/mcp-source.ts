// MCP servers on loopback: one with the tools of a test, and the reference server "everything".
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

export interface McpSource {
  url: string;
  /** The headers of each request. */
  asked: Record<string, string | string[] | undefined>[];
  close(): void;
}

async function serve(listener: RequestListener, path: string): Promise<McpSource> {
  const asked: McpSource['asked'] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const bodyOf = async (request: IncomingMessage) => (await Readable.toWeb(request)) as ReadableStream;

/** A server whose tool `find` (query, limit, cursor) and `list` (no params) answer with `answer`. */
export function mcpSource(
  answer: (args: { query?: string; limit?: number; cursor?: string }, tool: string) => object,
): Promise<McpSource> {
  function withTools(): McpServer {
    const server = new McpServer({ name: 'records', version: '1' });
    const params = { query: z.string(), limit: z.number(), cursor: z.string().optional() };
    const result = (args: object, tool: string) => {
      const given = answer(args, tool);
      return 'content' in given
        ? (given as { content: [] })
        : { structuredContent: { ...given }, content: [] };
    };
    server.registerTool('find', { inputSchema: z.object(params) }, async (args) => result(args, 'find'));
    server.registerTool('list', { inputSchema: z.object({}) }, async (args) => result(args, 'list'));
    return server;
  }
  const handler = createMcpHandler(withTools, { maxSubscriptions: 0 });
  return serve(async (request, response) => {
    const reply = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        ...(request.method === 'POST' && { body: await bodyOf(request), duplex: 'half' }),
      }),
    );
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    if (reply.body) await pipeline(Readable.fromWeb(reply.body as never), response);
    else response.end();
  }, '/mcp');
}

/** The reference server of the protocol, as its own program serves it: sessions, and answers as event streams. */
export async function everything(): Promise<McpSource & { sessions(): number }> {
  const { createServer: create } = await import(
    '@modelcontextprotocol/server-everything/dist/server/index.js'
  );
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const served = await serve(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await create().server.connect(transport as Transport);
    await transport.handleRequest(request, response);
  }, '/mcp');
  return { ...served, sessions: () => sessions.size };
}

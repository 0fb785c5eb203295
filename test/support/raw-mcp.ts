// MCP servers that no library would make: their messages, as a live source answers them.
import type { ServerResponse } from 'node:http';
import type { LiveSource, liveSource } from './live-source.ts';

export type Asked = LiveSource['asked'][number];
type Answer = ReturnType<Parameters<typeof liveSource>[0]>;
/** What is answered to one message: JSON, or what writes the response. */
export type Reply = Answer;

interface Server {
  /** Of the call of the tool `find`. */
  result: object | (() => object);
  /** In place of a list of the one tool. */
  tools?: object;
  params?: Record<string, object>;
}

/** The answers of a server; `changed` may replace each of them. */
export function answersOf(
  { result, tools, params = {} }: Server,
  changed: (reply: Reply, asked: Asked) => Reply = (reply) => reply,
): (asked: Asked) => Reply {
  const one = { name: 'find', inputSchema: { type: 'object', properties: { query: {}, ...params } } };
  const results: Record<string, () => object> = {
    initialize: () => ({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'raw', version: '1' },
    }),
    'tools/list': () => tools ?? { tools: [one] },
    'tools/call': () => (typeof result === 'function' ? result() : result),
  };
  return (asked) => {
    const { id, method } = asked.body ?? {};
    if (id === undefined) return (response) => void response.writeHead(202).end();
    return changed({ jsonrpc: '2.0', id, result: results[method]?.() }, asked);
  };
}

/** The messages as a stream of events. */
export const inEvents = (messages: object[]) => (response: ServerResponse) =>
  void response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(messages.map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join(''));

/** The reply after a while. */
export const later = (ms: number, reply: Reply) => (response: ServerResponse) => {
  const timer = setTimeout(() => {
    if (typeof reply === 'function') return reply(response);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  }, ms);
  response.on('close', () => clearTimeout(timer));
};

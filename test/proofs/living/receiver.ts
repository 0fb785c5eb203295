// A customer's server on loopback that takes every webhook and remembers which events it was sent for which run.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Receiver {
  url: string;
  /** Ids of the events that were posted, by run. */
  posted: Map<string, string[]>;
  close(): void;
}

/** Listens until it is closed. */
export async function receiveWebhooks(): Promise<Receiver> {
  const posted = new Map<string, string[]>();
  const server = createServer(async (request, response) => {
    const { run_id, event_id } = JSON.parse(await text(request).catch(() => '{}'));
    posted.set(run_id, [...(posted.get(run_id) ?? []), event_id]);
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}/hook`, posted, close };
}

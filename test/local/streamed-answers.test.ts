// A streamed answer to a reader that does not keep up.
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { streamOnto } from '../../lib/local/api-gateway/proxy-response.ts';

const CHUNKS = 30;
const CHUNK = Buffer.alloc(1_000_000, 'x');

test('chunks behind a slow reader wait for one drain, and all arrive', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => arrived.resolve(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const replied = Promise.withResolvers<IncomingMessage>();
  get({ port, host: '127.0.0.1' }, replied.resolve);
  const response = await arrived.promise;
  const receiver = streamOnto(
    response,
    (name) => name,
    (error) => expect.unreachable(String(error)),
  );
  receiver.head({ statusCode: 200, headers: {} });

  const written = Array.from({ length: CHUNKS }, () => receiver.chunk(CHUNK));
  expect(response.listenerCount('drain')).toBe(1);

  const reply = await replied.promise;
  const read = reply.toArray();
  await Promise.all(written);
  expect(response.listenerCount('drain')).toBe(0);
  receiver.end();
  expect(Buffer.concat(await read)).toHaveLength(CHUNKS * CHUNK.length);
  server.close();
});

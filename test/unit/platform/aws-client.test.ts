// Calls to AWS on connections that nothing comes from: they end in time, and are made again where something answers.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { clientSettings } from '../../../functions/platform/aws-client.ts';

const LOOPBACK = '127.0.0.1';
/** What most routes have. */
const ROUTE_MS = 10_000;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function clientOf(port: number, maxAttempts: number): DynamoDBClient {
  return new DynamoDBClient({
    ...clientSettings('dynamodb'),
    endpoint: `http://${LOOPBACK}:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts,
  });
}

const read = (client: DynamoDBClient) =>
  client.send(new GetItemCommand({ TableName: 'Table', Key: { pk: { S: 'a' } } }));

test('a call on a connection that fell silent is made again on a new one, not on another idle one', async () => {
  const connections = new Set<Socket>();
  const silent = new Set<Socket>();
  let unanswered = 0;
  const server = createServer((request, response) => {
    if (silent.has(request.socket)) unanswered += 1;
    else response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
  });
  server.on('connection', (socket) => connections.add(socket));
  ends.push(() => server.close().closeAllConnections());
  await once(server.listen(0, LOOPBACK), 'listening');
  const client = clientOf((server.address() as AddressInfo).port, 3);
  await Promise.all(Array.from({ length: 6 }, () => read(client)));
  expect(connections.size).toBe(6);

  for (const socket of connections) silent.add(socket);
  const begun = Date.now();
  await read(client);
  expect(Date.now() - begun).toBeLessThan(ROUTE_MS);
  expect(unanswered).toBe(1);
});

/** Listens, and then never looks at what connects: Linux completes two connections and drops what the others send. */
const LISTENS_ONLY = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer().listen({ port: 0, host: '${LOOPBACK}', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

test.runIf(process.platform === 'linux')(
  'a connect without an answer ends while a route has time for another',
  async () => {
    const listener = new Worker(LISTENS_ONLY, { eval: true });
    ends.push(() => listener.terminate());
    const [port] = await once(listener, 'message');
    const fill = Array.from({ length: 2 }, () => connect(port, LOOPBACK));
    for (const socket of fill) socket.on('error', () => {});
    ends.push(() => fill.forEach((socket) => void socket.destroy()));
    await Promise.all(fill.map((socket) => once(socket, 'connect')));

    const begun = Date.now();
    await expect(read(clientOf(port, 1))).rejects.toThrow('did not establish a connection');
    expect(Date.now() - begun).toBeLessThan(ROUTE_MS / 2);
  },
);

// The store when its services fail: transient errors are retried with pauses; lasting ones are reported.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { getBytes, getObject, putObject } from '../../../functions/store/table/object-store.ts';
import { getItem, getItems, table, transact } from '../../../functions/store/table/table.ts';
import { collectAtOnce } from '../../../lib/local/collect-garbage.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** What the service answers to one request after the other; the last answer stays. */
let answers: Answer[] = [];
let asked: number[] = [];
let server: Server;
const connections = new Set<Socket>();

const json =
  (status: number, body: object): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  };
const refusal = (name: string, more: object = {}) =>
  json(400, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'm', ...more });
const cut: Answer = (request) => request.socket.destroy();
const text =
  (status: number, body = ''): Answer =>
  (_, response) => {
    response.writeHead(status).end(body);
  };

beforeAll(async () => {
  server = createServer((request, response) => {
    const answer = answers[asked.length] ?? answers.at(-1);
    asked.push(Date.now());
    request.resume().on('end', () => answer?.(request, response));
  });
  server.keepAliveTimeout = 65_000;
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: 'Table',
    BUCKET_NAME: 'bucket',
  });
});
afterAll(() => server.close());
beforeEach(() => {
  answers = [];
  asked = [];
});

const pauses = () => asked.slice(1).map((at, i) => at - (asked[i] ?? 0));
const put = () => table.send(new PutCommand({ TableName: 'Table', Item: { pk: 'a' } }));

test('a single write that meets a transaction on its item waits and is made', async () => {
  answers = [refusal('TransactionConflictException'), refusal('TransactionConflictException'), json(200, {})];
  await put();
  expect(asked).toHaveLength(3);
});

test('a single write that is refused for another reason is not repeated', async () => {
  answers = [refusal('ConditionalCheckFailedException')];
  await expect(put()).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  expect(asked).toHaveLength(1);
});

test('a transaction that meets throttled capacity is tried again', async () => {
  const CancellationReasons = [{ Code: 'ProvisionedThroughputExceeded' }, { Code: 'None' }];
  answers = [refusal('TransactionCanceledException', { CancellationReasons }), json(200, {})];
  await transact([{ Delete: { TableName: 'Table', Key: { pk: 'a' } } }]);
  expect(asked).toHaveLength(2);
});

test('keys that a throttled table leaves unprocessed are asked for after longer and longer pauses', async () => {
  const left = json(200, {
    Responses: { Table: [] },
    UnprocessedKeys: { Table: { Keys: [{ pk: { S: 'a' }, sk: { S: 'b' } }] } },
  });
  const item = { pk: { S: 'a' }, sk: { S: 'b' } };
  answers = [left, left, left, json(200, { Responses: { Table: [item] } })];
  const wanted = ['b', 'c'].map((sk) => ({ pk: 'a', sk }));
  expect(await getItems(wanted)).toEqual([{ pk: 'a', sk: 'b' }]);
  const [first = 0, , third = 0] = pauses();
  expect(first).toBeGreaterThanOrEqual(20);
  expect(third).toBeGreaterThanOrEqual(80);
});

test('items that are asked for at the same moment come in one request, each of them once', async () => {
  const item = { pk: { S: 'a' }, sk: { S: 'b' } };
  answers = [json(200, { Responses: { Table: [item] } })];
  const key = { pk: 'a', sk: 'b' };
  const read = await Promise.all([getItem(key), getItems([key, { pk: 'a', sk: 'c' }]), getItem(key)]);
  expect(read).toEqual([key, [key], key]);
  expect(asked).toHaveLength(1);
});

test('an item that is asked for later is read again', async () => {
  answers = [json(200, {}), json(200, { Item: { pk: { S: 'a' }, sk: { S: 'b' } } })];
  const key = { pk: 'a', sk: 'b' };
  expect([await getItem(key), await getItem(key)]).toEqual([undefined, key]);
});

test('a call on the table is cut off after seconds, not at the end of its function', async () => {
  answers = [json(200, {})];
  await put();
  expect(table.config.requestHandler).toMatchObject({
    config: {
      connectionTimeout: 2000,
      socketTimeout: 5000,
      requestTimeout: 30_000,
      throwOnRequestTimeout: true,
    },
  });
});

test('a request to the bucket outlasts cut connections, errors and throttling', async () => {
  answers = [cut, text(503), text(429), text(200)];
  await putObject('key', Buffer.from('{}'));
  expect(asked).toHaveLength(4);
  expect(Math.max(...pauses())).toBeGreaterThanOrEqual(100);
});

test('a read of many bytes whose reply does not begin is made again after seconds, one that has begun may last', async () => {
  const silent: Answer = () => {};
  const slow: Answer = (_, response) => {
    response.writeHead(200).write('who');
    setTimeout(() => response.end('le'), 6000);
  };
  answers = [silent, slow];
  // What ends a silent call must outlive collections of garbage.
  const collections = setInterval(collectAtOnce, 500);
  expect((await getBytes('key').finally(() => clearInterval(collections)))?.toString()).toBe('whole');
  expect(asked).toHaveLength(2);
  expect(pauses()[0]).toBeLessThan(9000);
});

/** What becomes of a request on a connection that died while it was idle. */
const losses: [string, (response: ServerResponse) => unknown][] = [
  ['silent', () => undefined],
  ['reset', ({ socket }) => socket?.resetAndDestroy()],
];

test.each(losses)(
  'of several idle connections to the bucket that are %s a call tries one; later calls, none of them',
  async (_, lose) => {
    const dead = new Set<unknown>();
    const waiting: ServerResponse[] = [];
    const lost = new Set<unknown>();
    const readAtOnce = async (count: number) => {
      answers = [
        ({ socket }, response) => {
          if (dead.has(socket)) {
            lost.add(socket);
            return lose(response);
          }
          waiting.push(response);
          if (waiting.length === count) for (const one of waiting.splice(0)) one.end('{}');
        },
      ];
      await Promise.all(Array.from({ length: count }, () => getObject('key')));
    };
    await readAtOnce(8);
    for (const socket of connections) dead.add(socket);
    expect(dead.size).toBeGreaterThanOrEqual(8);
    await readAtOnce(1);
    expect(lost.size).toBe(1);
    await readAtOnce(8);
    expect(lost.size).toBe(1);
  },
);

test('a reply that breaks off is asked for again', async () => {
  const broken: Answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"half":');
    setTimeout(() => response.destroy(), 10);
  };
  answers = [broken, text(200, '{"whole":1}')];
  expect(await getObject('key')).toBe('{"whole":1}');
});

test('a bucket that stays away is trouble of a service, which ends no run', async () => {
  answers = [cut];
  await expect(getObject('key')).rejects.toMatchObject({ name: 'ServiceTrouble' });
});

test('what the bucket refuses is not asked again', async () => {
  answers = [text(404)];
  await expect(getObject('key')).rejects.toThrow('answered 404');
  expect(asked).toHaveLength(1);
});

// The document client against an endpoint that records what it is sent: each kind of command that the store uses,
// several times.
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { describe, expect, test } from 'vitest';
import { documentClient } from '../../../functions/store/table/document-client.ts';

interface Sent {
  operation: string | undefined;
  body: unknown;
  headers: Record<string, string>;
}

/** A client of an endpoint that takes a turn for each reply: `answer` makes it of what was sent. */
function connected(answer: (sent: Sent, signal?: AbortSignal) => { status?: number; body: object }) {
  const sent: Sent[] = [];
  const client = new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    maxAttempts: 2,
    requestHandler: {
      async handle({ headers, body }: HttpRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
        const request = {
          operation: headers['x-amz-target']?.split('.')[1],
          body: JSON.parse(body),
          headers,
        };
        sent.push(request);
        await new Promise(setImmediate);
        const reply = answer(request, abortSignal);
        return {
          response: new HttpResponse({
            statusCode: reply.status ?? 200,
            headers: { 'content-type': 'application/x-amz-json-1.0' },
            body: Buffer.from(JSON.stringify(reply.body)),
          }),
        };
      },
    },
  });
  return { documents: documentClient(client, { marshallOptions: { removeUndefinedValues: true } }), sent };
}

const refused = (name: string) => ({ status: 400, body: { __type: `x#${name}`, message: 'm' } });

/**
 * For each kind: the operation, a call with `n` in it, what goes over the wire for it, the wire's reply and what the
 * caller gets.
 */
interface Kind {
  operation: string;
  call: (client: DynamoDBDocumentClient, n: number) => Promise<object>;
  wire: (n: { N: string }) => object;
  reply?: (n: unknown) => object;
  output?: (n: number) => object;
}
const TableName = 'T';
const kinds: Kind[] = [
  {
    operation: 'GetItem',
    call: (client, n) => client.send(new GetCommand({ TableName, Key: { n } })),
    wire: (n) => ({ TableName, Key: { n } }),
    reply: (n) => ({ Item: { n, list: { L: [n] } } }),
    output: (n) => ({ Item: { n, list: [n] } }),
  },
  {
    operation: 'BatchGetItem',
    call: (client, n) => client.send(new BatchGetCommand({ RequestItems: { T: { Keys: [{ n }] } } })),
    wire: (n) => ({ RequestItems: { T: { Keys: [{ n }] } } }),
    reply: (n) => ({ Responses: { T: [{ n }] }, UnprocessedKeys: { T: { Keys: [{ n }] } } }),
    output: (n) => ({ Responses: { T: [{ n }] }, UnprocessedKeys: { T: { Keys: [{ n }] } } }),
  },
  {
    operation: 'Query',
    call: (client, n) =>
      client.send(
        new QueryCommand({
          TableName,
          ExpressionAttributeValues: { ':n': n },
          ExclusiveStartKey: { n },
          IndexName: undefined,
        }),
      ),
    wire: (n) => ({ TableName, ExpressionAttributeValues: { ':n': n }, ExclusiveStartKey: { n } }),
    reply: (n) => ({ Items: [{ n }], LastEvaluatedKey: { n } }),
    output: (n) => ({ Items: [{ n }], LastEvaluatedKey: { n } }),
  },
  {
    operation: 'Scan',
    call: (client, n) => client.send(new ScanCommand({ TableName, ExclusiveStartKey: { n } })),
    wire: (n) => ({ TableName, ExclusiveStartKey: { n } }),
    reply: (n) => ({ Items: [{ n }] }),
    output: (n) => ({ Items: [{ n }] }),
  },
  {
    operation: 'PutItem',
    call: (client, n) => client.send(new PutCommand({ TableName, Item: { n, none: undefined } })),
    wire: (n) => ({ TableName, Item: { n } }),
  },
  {
    operation: 'UpdateItem',
    call: (client, n) =>
      client.send(
        new UpdateCommand({ TableName, Key: { n }, ExpressionAttributeValues: { ':m': { n: [n, null] } } }),
      ),
    wire: (n) => ({
      TableName,
      Key: { n },
      ExpressionAttributeValues: { ':m': { M: { n: { L: [n, { NULL: true }] } } } },
    }),
    reply: (n) => ({ Attributes: { n } }),
    output: (n) => ({ Attributes: { n } }),
  },
  {
    operation: 'DeleteItem',
    call: (client, n) => client.send(new DeleteCommand({ TableName, Key: { n }, ReturnValues: 'ALL_OLD' })),
    wire: (n) => ({ TableName, Key: { n }, ReturnValues: 'ALL_OLD' }),
    reply: (n) => ({ Attributes: { n } }),
    output: (n) => ({ Attributes: { n } }),
  },
  {
    operation: 'BatchWriteItem',
    call: (client, n) =>
      client.send(new BatchWriteCommand({ RequestItems: { T: [{ DeleteRequest: { Key: { n } } }] } })),
    wire: (n) => ({ RequestItems: { T: [{ DeleteRequest: { Key: { n } } }] } }),
    reply: (n) => ({ UnprocessedItems: { T: [{ DeleteRequest: { Key: { n } } }] } }),
    output: (n) => ({ UnprocessedItems: { T: [{ DeleteRequest: { Key: { n } } }] } }),
  },
  {
    operation: 'TransactWriteItems',
    call: (client, n) =>
      client.send(
        new TransactWriteCommand({
          TransactItems: [{ Put: { TableName, Item: { n } } }, { Delete: { TableName, Key: { n } } }],
          ClientRequestToken: 'token',
        }),
      ),
    wire: (n) => ({
      TransactItems: [{ Put: { TableName, Item: { n } } }, { Delete: { TableName, Key: { n } } }],
      ClientRequestToken: 'token',
    }),
  },
];

describe('each kind of command', () => {
  test.each(kinds)(
    '$operation',
    async ({ operation, call, wire, reply = () => ({}), output = () => ({}) }) => {
      const numberIn = (body: unknown) => ({ N: /"N":"(\d+)"/.exec(JSON.stringify(body))?.[1] ?? '' });
      const { documents, sent } = connected(({ body }) => ({ body: reply(numberIn(body)) }));
      const numbers = [1, 2, 3, 4];
      const [first, ...others] = numbers;
      const replies = [await call(documents, first ?? 0)];
      replies.push(...(await Promise.all(others.map((n) => call(documents, n)))));
      expect(sent.map(({ body }) => body)).toEqual(numbers.map((n) => wire({ N: String(n) })));
      expect(sent.map((request) => request.operation)).toEqual(numbers.map(() => operation));
      for (const [i, n] of numbers.entries()) expect(replies[i]).toMatchObject(output(n));
    },
  );
});

const get = (documents: DynamoDBDocumentClient, abortSignal?: AbortSignal) =>
  documents.send(new GetCommand({ TableName, Key: { pk: 'a' } }), abortSignal && { abortSignal });

test('each call is signed, by the key of its moment', async () => {
  const { documents, sent } = connected(() => ({ body: {} }));
  await Promise.all([get(documents), get(documents)]);
  for (const { headers } of sent) expect(headers.authorization).toContain('Credential=id/');
  expect(new Set(sent.map(({ headers }) => headers['amz-sdk-invocation-id'])).size).toBe(2);
});

test('an error has its class and its old item, and does not hurt the next call', async () => {
  const answers = [
    {
      status: 400,
      body: { __type: 'x#ConditionalCheckFailedException', message: 'm', Item: { n: { N: '1' } } },
    },
    { body: {} },
  ];
  const { documents } = connected(() => answers.shift() ?? { body: {} });
  const put = () => documents.send(new PutCommand({ TableName, Item: { pk: 'a' } }));
  const error: unknown = await put().catch((caught) => caught);
  expect(error).toBeInstanceOf(ConditionalCheckFailedException);
  expect(error).toMatchObject({ $metadata: { attempts: 1 } });
  await put();
});

test('what a service has no capacity for is tried again, and only so often', async () => {
  const { documents, sent } = connected(() => refused('ThrottlingException'));
  await expect(get(documents)).rejects.toMatchObject({
    name: 'ThrottlingException',
    $metadata: { attempts: 2 },
  });
  expect(sent.map(({ headers }) => headers['amz-sdk-request'])).toEqual([
    'attempt=1; max=2',
    'attempt=2; max=2',
  ]);
});

test('a middleware of the client wraps each call', async () => {
  const { documents, sent } = connected(() => ({ body: {} }));
  documents.middlewareStack.add(
    (next) => async (args) => {
      await next(args);
      return next(args);
    },
    { step: 'initialize', name: 'twice' },
  );
  await get(documents);
  await get(documents);
  expect(sent).toHaveLength(4);
});

test('a signal reaches the request of its call and no other', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const { documents } = connected((_, signal) => {
    signals.push(signal);
    return { body: {} };
  });
  const { signal } = new AbortController();
  await get(documents);
  await get(documents, signal);
  await get(documents);
  expect(signals).toEqual([undefined, signal, undefined]);
});

test('a command that is not on documents is refused', async () => {
  const { documents } = connected(() => ({ body: {} }));
  const { PutItemCommand } = await import('@aws-sdk/client-dynamodb');
  await expect(documents.send(new PutItemCommand({ TableName, Item: {} }))).rejects.toThrow('not a command');
});

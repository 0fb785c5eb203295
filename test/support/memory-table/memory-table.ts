// The embedded engine on an in-memory table, driven by document client commands: no sockets, threads or time.
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type Item, wrapNumbers } from '#store/table/table.ts';
import { AwsError } from '../../../lib/local/aws-endpoint/aws-protocol.ts';
import { openEngine } from '../../../lib/local/dynamodb/engine/engine.ts';
import { type JsonObject, listAt } from '../../../lib/local/json-values.ts';
import { withBytes } from '../../../lib/local/lambda/host/object-protocol.ts';

export interface MemoryTable {
  /** Performs a document client command synchronously; the table needs no name. Throws DynamoDB's errors. */
  perform(command: string, input: object): object;
  /** Every item, for oracles. */
  items(): Item[];
  close(): void;
}

const TableName = 'Table';
const metadata = { $metadata: {} };
const marshallOptions = { removeUndefinedValues: true, convertClassInstanceToMap: true };

/** The operation of a command. */
const OPERATIONS: Record<string, string> = {
  GetCommand: 'GetItem',
  BatchGetCommand: 'BatchGetItem',
  BatchWriteCommand: 'BatchWriteItem',
  QueryCommand: 'Query',
  PutCommand: 'PutItem',
  UpdateCommand: 'UpdateItem',
  DeleteCommand: 'DeleteItem',
  TransactWriteCommand: 'TransactWriteItems',
};

const ofOneTable = (operation: string) => !/^(Batch|Transact)/.test(operation);

/** An empty table with these indexes, whose sort keys are numbers. */
export function memoryTable(indexes: { name: string; pk: string; sk: string }[]): MemoryTable {
  const engine = openEngine(':memory:');
  const key = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ];
  engine.perform('CreateTable', {
    TableName,
    AttributeDefinitions: ['pk', 'sk', ...indexes.flatMap(({ pk, sk }) => [pk, sk])].map((name) => ({
      AttributeName: name,
      AttributeType: indexes.some(({ sk }) => sk === name) ? 'N' : 'S',
    })),
    KeySchema: key('pk', 'sk'),
    GlobalSecondaryIndexes: indexes.map(({ name, pk, sk }) => ({
      IndexName: name,
      KeySchema: key(pk, sk),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    })),
  });

  function perform(command: string, input: object): object {
    const operation = OPERATIONS[command];
    if (operation === undefined)
      throw new Error(`the store uses ${command}, which the table in memory lacks`);
    try {
      const output = engine.perform(operation, {
        ...(ofOneTable(operation) && { TableName }),
        ...Object(wire(input)),
      });
      withBytes(output);
      return { ...plain(output), ...metadata };
    } catch (error) {
      throw sdkError(error);
    }
  }

  return {
    perform,
    items() {
      const all: Item[] = [];
      let page: JsonObject = {};
      do {
        page = engine.perform('Scan', { TableName, ExclusiveStartKey: page.LastEvaluatedKey });
        withBytes(page);
        all.push(...listAt(page.Items, 'Items').map(plainItem));
      } while (page.LastEvaluatedKey !== undefined);
      return all;
    },
    close: () => void engine.close(),
  };
}

const ITEMS = [
  'Item',
  'Key',
  'Attributes',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
  'ExpressionAttributeValues',
];
const LISTS_OF_ITEMS = ['Keys', 'Items'];

/** A copy with every item in a request or reply passed through `turn`. */
function turned(value: unknown, turn: (item: object) => object): unknown {
  if (Array.isArray(value)) return value.map((one) => turned(one, turn));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (member === undefined) return [];
      if (ITEMS.includes(name)) return [[name, turn(member)]];
      if (LISTS_OF_ITEMS.includes(name)) return [[name, member.map(turn)]];
      return [[name, turned(member, turn)]];
    }),
  );
}

const wire = (input: object) => turned(input, (item) => marshall(item, marshallOptions));
const plainItem = (item: unknown): Item => unmarshall(Object(item), { wrapNumbers });

function plain(output: object): object {
  const { Responses, ...rest } = Object(turned({ ...output, Responses: undefined }, plainItem));
  const found = Object.entries(Object('Responses' in output ? output.Responses : {}));
  if (found.length === 0) return rest;
  return {
    ...rest,
    Responses: Object.fromEntries(found.map(([name, items]) => [name, Object(items).map(plainItem)])),
  };
}

function sdkError(error: unknown): unknown {
  if (!(error instanceof AwsError)) return error;
  const { code, message, details } = error;
  withBytes(details);
  const given = { message, ...Object(turned(details, plainItem)), ...metadata };
  if (code === 'ConditionalCheckFailedException') return new ConditionalCheckFailedException(given);
  if (code === 'TransactionCanceledException') return new TransactionCanceledException(given);
  return Object.assign(new Error(message), { name: code }, given);
}

/** The error of a transaction canceled for these reasons. */
export function canceled(codes: string[]): TransactionCanceledException {
  return new TransactionCanceledException({
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
    CancellationReasons: codes.map((Code) => ({ Code })),
    ...metadata,
  });
}

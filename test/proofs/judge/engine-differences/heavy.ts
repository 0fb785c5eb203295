// Rare operations at the limits of size and number.
import type { JsonObject } from '../../../../lib/local/json-values.ts';
import type { Random } from '../../../support/random.ts';
import type { Asked } from './asked.ts';
import { partsOf, randomKey, type Table } from './tables.ts';

const ITEM_BYTES = 400 * 1024;

/** A write, a batch or a transaction that is at a limit or just beyond. */
export function heavyOperation(random: Random, table: Table): Asked {
  const key = randomKey(random, table);
  const TableName = table.name;
  const text = (bytes: number): JsonObject => ({ S: 'x'.repeat(bytes) });
  const numbered = (number: number): JsonObject => ({ ...key, ...keyNumber(table, number) });
  const heavies: readonly (() => Asked)[] = [
    () => ({
      operation: 'PutItem',
      input: { TableName, Item: { ...key, big: text(ITEM_BYTES - random.below(60)) } },
    }),
    () => ({
      operation: 'PutItem',
      input: { TableName, Item: { ...key, big: text(ITEM_BYTES - 60 - random.below(900)) } },
    }),
    () => ({
      operation: 'UpdateItem',
      input: {
        TableName,
        Key: key,
        UpdateExpression: 'SET #big = :big',
        ExpressionAttributeNames: { '#big': 'big' },
        ExpressionAttributeValues: { ':big': text(ITEM_BYTES - random.below(60)) },
      },
    }),
    () => ({
      operation: 'UpdateItem',
      input: {
        TableName,
        Key: key,
        UpdateExpression: 'SET more = :more',
        ExpressionAttributeValues: { ':more': text(5_000 + random.below(200_000)) },
        ReturnConsumedCapacity: 'INDEXES',
      },
    }),
    () => ({
      operation: 'TransactWriteItems',
      input: {
        TransactItems: Array.from({ length: 99 + random.below(3) }, (_, number) => ({
          Put: { TableName, Item: numbered(number) },
        })),
      },
    }),
    () => ({
      operation: 'TransactWriteItems',
      input: {
        TransactItems: Array.from({ length: 10 + random.below(2) }, (_, number) => ({
          Put: { TableName, Item: { ...numbered(number), big: text(ITEM_BYTES - 2000) } },
        })),
      },
    }),
    () => ({
      operation: 'TransactGetItems',
      input: {
        TransactItems: Array.from({ length: 99 + random.below(3) }, (_, number) => ({
          Get: { TableName, Key: numbered(number) },
        })),
      },
    }),
    () => ({
      operation: 'BatchGetItem',
      input: {
        RequestItems: {
          [TableName]: { Keys: Array.from({ length: 99 + random.below(3) }, (_, n) => numbered(n)) },
        },
      },
    }),
    () => ({
      operation: 'BatchWriteItem',
      input: {
        RequestItems: {
          [TableName]: Array.from({ length: 24 + random.below(3) }, (_, number) => ({
            DeleteRequest: { Key: numbered(number) },
          })),
        },
      },
    }),
  ];
  return random.pick(heavies)();
}

/** The last part of the key with a value of the number's own, away from the keys of others. */
function keyNumber(table: Table, number: number): JsonObject {
  const part = partsOf(table.key).at(-1);
  if (!part) return {};
  const texts = {
    S: `heavy${number}`,
    N: String(1000 + number),
    B: Buffer.from([200, number]).toString('base64'),
  };
  return { [part.name]: { [part.type]: texts[part.type] } };
}

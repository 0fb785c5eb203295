// The table forgets what has expired, late and in the background, as DynamoDB does.
import { beforeAll, expect, test } from 'vitest';
import { openEngine } from '../../lib/local/dynamodb/engine/engine.ts';
import type { TableService } from '../../lib/local/dynamodb/engine/table-service.ts';
import { deleteExpired } from '../../lib/local/dynamodb/expired-items.ts';
import { listAt, objectAt } from '../../lib/local/json-values.ts';

const things = { name: 'Things', attribute: 'ends_at', keyNames: ['pk'] };
const engine = openEngine(':memory:');
const table: Pick<TableService, 'perform'> = {
  perform: async (operation, input) => engine.perform(operation, input),
};

beforeAll(() => {
  engine.perform('CreateTable', {
    TableName: things.name,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
});

const put = (pk: string, ends_at?: number) =>
  engine.perform('PutItem', {
    TableName: things.name,
    Item: { pk: { S: pk }, ...(ends_at !== undefined && { ends_at: { N: String(ends_at) } }) },
  });

function left(): string[] {
  const { Items } = engine.perform('Scan', { TableName: things.name });
  return listAt(Items, 'Items')
    .map((item) => String(objectAt(objectAt(item, 'item').pk, 'pk').S))
    .sort();
}

test('what has expired goes, what will expire and what never does stay', async () => {
  const now = 1_800_000_000;
  for (let i = 0; i < 300; i += 1) put(`old-${i}`, now - i);
  put('soon', now + 1);
  put('never');
  expect(await deleteExpired(table, things, now * 1000)).toBe(300);
  expect(left()).toEqual(['never', 'soon']);
});

test('what is written anew between look and deletion stays', async () => {
  const now = 1_800_000_000;
  put('renewed', now - 1);
  const renewing: Pick<TableService, 'perform'> = {
    async perform(operation, input) {
      if (operation === 'DeleteItem') put('renewed', now + 60);
      return engine.perform(operation, input);
    },
  };
  expect(await deleteExpired(renewing, things, now * 1000)).toBe(0);
  expect(left()).toContain('renewed');
});

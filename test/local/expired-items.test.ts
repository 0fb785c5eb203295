// The table forgets what has expired, late and in the background, as DynamoDB does.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DynamoDb, startDynamoDb } from '../../lib/local/dynamodb/dynamodb-engine.ts';
import { deleteExpired } from '../../lib/local/dynamodb/expired-items.ts';

const things = { name: 'Things', attribute: 'ends_at', keyNames: ['pk'] };
let engine: DynamoDb;

beforeAll(async () => {
  engine = await startDynamoDb(mkdtempSync(join(tmpdir(), 'expired-')));
  const shape = {
    TableName: things.name,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  };
  await engine.forward('CreateTable', JSON.stringify(shape));
});
afterAll(() => engine.stop());

const put = (pk: string, ends_at?: number) =>
  engine.forward(
    'PutItem',
    JSON.stringify({
      TableName: things.name,
      Item: { pk: { S: pk }, ...(ends_at !== undefined && { ends_at: { N: String(ends_at) } }) },
    }),
  );

async function left(): Promise<string[]> {
  const { body } = await engine.forward('Scan', JSON.stringify({ TableName: things.name }));
  const { Items }: { Items: { pk: { S: string } }[] } = JSON.parse(body.toString());
  return Items.map(({ pk }) => pk.S).sort();
}

test('what has expired goes, what will expire and what never does stay', async () => {
  const now = 1_800_000_000;
  for (let i = 0; i < 300; i += 1) await put(`old-${i}`, now - i);
  await put('soon', now + 1);
  await put('never');
  expect(await deleteExpired(engine, things, now * 1000)).toBe(300);
  expect(await left()).toEqual(['never', 'soon']);
});

test('what is written anew between look and deletion stays', async () => {
  const now = 1_800_000_000;
  await put('renewed', now - 1);
  const renewing: Pick<DynamoDb, 'forward'> = {
    async forward(operation, body) {
      if (operation === 'DeleteItem') await put('renewed', now + 60);
      return engine.forward(operation, body);
    },
  };
  expect(await deleteExpired(renewing, things, now * 1000)).toBe(0);
  expect(await left()).toContain('renewed');
});

// Writes that meet on an item, as DynamoDB answers them.
import { expect, test } from 'vitest';
import { oneAtATime } from '../support/observed/conflicts.ts';

const TableName = 'Table';
const keyOf = (pk: string) => ({ pk: { S: pk }, sk: { S: 'S' } });
const put = (pk: string) => ({ Put: { TableName, Item: { ...keyOf(pk), text: { S: 'new' } } } });
const transaction = (...TransactItems: object[]) => ({
  operation: 'TransactWriteItems',
  input: JSON.parse(JSON.stringify({ TransactItems })),
});
const single = (operation: string, pk: string) => ({ operation, input: { TableName, Key: keyOf(pk) } });

test('what meets a transaction on an item is refused until it is over; all else passes', async () => {
  const pass = oneAtATime(() => ['pk', 'sk']);
  const { promise, resolve } = Promise.withResolvers<string>();
  const done = async () => 'done';
  const first = pass(
    transaction(put('a'), { ConditionCheck: { TableName, Key: keyOf('b') } }),
    () => promise,
  );

  await expect(pass(single('UpdateItem', 'a'), done)).rejects.toMatchObject({
    code: 'TransactionConflictException',
  });
  await expect(pass(transaction(put('c'), put('b')), done)).rejects.toMatchObject({
    code: 'TransactionCanceledException',
    message: expect.stringContaining('[None, TransactionConflict]'),
    details: { CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }] },
  });
  expect(await pass(single('DeleteItem', 'c'), done)).toBe('done');
  expect(await pass(single('GetItem', 'a'), done)).toBe('done');
  expect(await pass(transaction(put('c')), done)).toBe('done');

  resolve('committed');
  expect(await first).toBe('committed');
  expect(await pass(single('UpdateItem', 'a'), done)).toBe('done');
});

test('a failed transaction releases its items', async () => {
  const pass = oneAtATime(() => ['pk', 'sk']);
  const failing = pass(transaction(put('a')), () => Promise.reject(new Error('refused')));
  await expect(failing).rejects.toThrow('refused');
  expect(await pass(transaction(put('a')), async () => 'done')).toBe('done');
});

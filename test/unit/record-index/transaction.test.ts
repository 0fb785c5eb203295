// What is left of a transaction on an index file that could not be written.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { transaction } from '../../../functions/record-index/transaction.ts';

test('a full disk is reported as such, nothing of the transaction is left, and the next one succeeds', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE texts(text); PRAGMA max_page_count = 20');
  const add = (bytes: number) =>
    transaction(database, () => database.prepare('INSERT INTO texts VALUES (zeroblob(?))').run(bytes));
  add(1000);
  expect(() => add(1_000_000)).toThrow('database or disk is full');
  add(1000);
  expect(database.prepare('SELECT count(*) AS n FROM texts').get()).toEqual({ n: 2 });
  database.close();
});

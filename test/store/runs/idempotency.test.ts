// The claim on an Idempotency-Key: one request gets it, and knows that it has.
import { afterEach, expect, test } from 'vitest';
import { newId } from '#platform/ids.ts';
import { claimUntil } from '#store/idempotency.ts';
import { table } from '#store/table.ts';
import { useTable } from '../../support/table.ts';

useTable();
afterEach(() => void table.middlewareStack.remove('twice'));

const given = () => ({ workspace_id: newId(), endpoint: 'runs' as const, key: 'key', body_hash: 'hash' });
const soon = () => Date.now() + 60_000;

test('of two requests one gets the claim', async () => {
  const key = given();
  expect(await claimUntil(key, soon())).toBe(true);
  expect(await claimUntil(key, soon())).toBe(false);
});

test('a claim whose reply was lost knows its own write, and does not wait for itself', async () => {
  table.middlewareStack.add(
    (next) => async (args) => {
      await next(args);
      return next(args);
    },
    { name: 'twice' },
  );
  expect(await claimUntil(given(), soon())).toBe(true);
});

// The claim on an Idempotency-Key: one request gets it, and knows that it has.
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '#platform/ids.ts';
import { claimUntil } from '#store/runs/idempotency.ts';
import { aroundTable } from '../../support/around-table.ts';
import { useTable } from '../../support/table.ts';

useTable();

const given = () => ({ workspace_id: newId(), endpoint: 'runs' as const, key: 'key', body_hash: 'hash' });
const soon = () => Date.now() + 60_000;

test('of two requests one gets the claim', async () => {
  const key = given();
  expect(await claimUntil(key, soon())).toMatchObject({ key });
  expect(await claimUntil(key, soon())).toBeUndefined();
});

test('a claim whose reply was lost knows its own write, and does not wait for itself', async () => {
  const restore = aroundTable(async (_, carryOut) => {
    await carryOut();
    return carryOut();
  });
  onTestFinished(restore);
  expect(await claimUntil(given(), soon())).toBeDefined();
});

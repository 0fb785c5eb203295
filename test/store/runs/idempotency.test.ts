// The claim on an Idempotency-Key: one request gets it, and knows that it has.
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '#platform/ids.ts';
import { claimUntil, free, read, releaseClaim } from '#store/runs/idempotency.ts';
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

// rules.md: deletion 3.
test('while the key of a deleted run is claimed, and after that, its next run has another id', async () => {
  const key = given();
  await free(key, newId());
  const freed = await read(key);
  expect(freed?.salt).toBeDefined();
  const claim = await claimUntil({ ...key, salt: freed?.salt }, soon());
  expect(await read(key)).toMatchObject({ salt: freed?.salt, claimed_by: claim?.claimed_by });
  if (claim) await releaseClaim(claim);
  expect(await read(key)).toMatchObject({ salt: freed?.salt, claimed_until: 0 });
});

// rules.md: capacity 2, keys 13. What an earlier version has stored of a day is read until the day is over, while both
// versions run and after; and that version reads what this one stores.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { sweepSlots } from '#domain/recovery/sweep-slots.ts';
import { addCost, nextUtcDay, spentToday, utcDay } from '#store/money/costs.ts';
import { getItem, table, tableName } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import { readDay } from '#store/workspaces/day-limits.ts';
import { replaceStateMachine } from '../support/fakes.ts';
import { caller, givenRun } from '../support/runs.ts';
import { sweepTime } from '../support/sweep-time.ts';
import { useTable } from '../support/table.ts';

let by: CallerWithCosts;
let id: string;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller(1000);
  id = by.workspace.workspace_id;
});
afterEach(() => void vi.restoreAllMocks());

/** What the earlier version writes: the cost of a last commit to the counters, that of others to the sum of the day. */
async function costsAsBefore(key: string, pico: bigint): Promise<void> {
  const day = utcDay(Date.now());
  const add = (Key: object, names: Record<string, string>) =>
    table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: { ...Key },
        UpdateExpression: 'ADD #all :cost, #key :cost',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ':cost': pico },
      }),
    );
  await add(keys.counters(id), { '#all': `spent#${day}`, '#key': `spent#${day}#${key}` });
  await add(keys.cost(id, day, 0), { '#all': 'spent', '#key': key });
}

const attributes = async () => (await getItem(keys.counters(id))) ?? {};
const partsInCounters = async () => Object.keys(await attributes()).filter((name) => /^spent#/.test(name));

test('both parts of its day count for the workspace, the key, and the keys that bound it', async () => {
  const COST = 9_007_199_254_740_993n;
  await costsAsBefore('above', COST);
  await costsAsBefore('own', COST);
  const payer = { workspace_id: id, key_id: 'own', bounded_by: [{ key_id: 'above', limit_usd: 1 }] };
  await addCost(payer, 7n, Date.now());
  const { spent } = (await readDay(payer, Date.now())) ?? {};
  expect(spent).toEqual({ workspace: 4n * COST + 7n, key: 2n * COST + 7n, above: [2n * COST + 7n] });
  expect(await spentToday(id, Date.now())).toBe(4n * COST + 7n);
});

test('its parts in the counters are removed when their day is over, and not before', async () => {
  await givenRun(by);
  await costsAsBefore('own', 5n);
  const later = Date.now() + 10 * 60_000;
  const midnight = nextUtcDay(Date.now());
  if (later < midnight) await sweepSlots(sweepTime(later));
  expect(await partsInCounters()).toHaveLength(2);
  vi.spyOn(Date, 'now').mockReturnValue(midnight + 20 * 60_000);
  await sweepSlots(sweepTime(midnight + 20 * 60_000));
  expect(await partsInCounters()).toEqual([]);
});

test('it reads the shards of each day from the first claim of this version on', async () => {
  await givenRun(by);
  expect((await attributes()).shards_until).toBeGreaterThan(Date.now() + 365 * 24 * 3600_000);
});

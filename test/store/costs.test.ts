// rules.md: capacity 2, usage 5. What a day has cost is read exactly, in one call, however many runs add to it.
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { builtInPrices } from '#contract/prices.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { insertRun } from '#domain/commands/insert-run.ts';
import { addCost, costWrite, nextUtcDay, spentToday } from '#store/money/costs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { queryAll, table, tableName, transact } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import { findBearerWithCosts } from '#store/workspaces/api-keys.ts';
import { aroundTable } from '../support/around-table.ts';
import { replaceStateMachine } from '../support/fakes.ts';
import { draftOf } from '../support/run-drafts.ts';
import { caller } from '../support/runs.ts';
import { useTable } from '../support/table.ts';

const DAY_MS = 24 * 3600 * 1000;
const pricing = { names: ['offline'], prices: builtInPrices };
let by: CallerWithCosts;
let id: string;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller();
  id = by.workspace.workspace_id;
});
afterEach(() => {
  vi.useRealTimers();
});

const creates = async () => (await insertRun(draftOf(by), pricing)).run;
const costs = (run: RunRecord, pico: bigint) => transact([costWrite(run, pico, Date.now())]);
const shards = async () => (await queryAll(keys.costs(id))).length;
const reads = async () => (await findBearerWithCosts('hash', id)).spent_today.workspace;

/** The commands that `work` sends to the table. */
async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const restore = aroundTable(async ({ name }, carryOut) => {
    seen.push(name);
    return carryOut();
  });
  await work();
  restore();
  return seen;
}

test('a create reads the day with its key in one call, and nothing of it is missing', async () => {
  const many = await Promise.all(Array.from({ length: 12 }, creates));
  for (const run of many) await costs(run, 1_000_000_000_001n);
  await addCost({ workspace_id: id, key_id: by.key.key_id }, 5n, Date.now());
  const seen = await commandsOf(async () => expect(await reads()).toBe(12_000_000_000_017n));
  expect(seen).toEqual(['BatchGetCommand']);
  expect(await spentToday(id, Date.now())).toBe(12_000_000_000_017n);
});

test('the costs of a run go to one shard, those of many runs and requests to several', async () => {
  const run = await creates();
  for (let i = 0; i < 5; i += 1) await costs(run, 1n);
  expect(await shards()).toBe(1);
  for (let i = 0; i < 40; i += 1) await addCost({ workspace_id: id, key_id: 'k' }, 1n, Date.now());
  expect(await shards()).toBeGreaterThan(5);
  expect(await reads()).toBe(45n);
});

test('a create reads each of the following days exactly, however long a run lasts', async () => {
  const run = await creates();
  const noon = nextUtcDay(Date.now()) - DAY_MS / 2;
  vi.useFakeTimers({ toFake: ['Date'] });
  for (let day = 0; day < 5; day += 1) {
    vi.setSystemTime(noon + day * DAY_MS);
    await costs(run, BigInt(day + 1));
    expect(await reads()).toBe(BigInt(day + 1));
  }
});

test('without counters, as in a purge, the day is read whole', async () => {
  await costs(await creates(), 9n);
  await table.send(new DeleteCommand({ TableName: tableName(), Key: keys.counters(id) }));
  expect(await reads()).toBe(9n);
});

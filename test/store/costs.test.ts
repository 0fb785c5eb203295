// rules.md: capacity 2, usage 5. What a day has cost is read exactly, from one item unless many runs are in flight.
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { builtInPrices } from '#contract/prices.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { insertRun } from '#domain/commands/insert-run.ts';
import { resumeRun } from '#domain/commands/resume-run.ts';
import { runError } from '#domain/runs/run-error.ts';
import { failed } from '#domain/runs/transitions.ts';
import { addCost, costWrite, nextUtcDay, spentToday } from '#store/money/costs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { type Item, queryAll, table, tableName, transact } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import { findBearerWithCosts } from '#store/workspaces/api-keys.ts';
import { aroundTable } from '../support/around-table.ts';
import { replaceStateMachine } from '../support/fakes.ts';
import { draftOf } from '../support/run-drafts.ts';
import { actor, caller, givenRun } from '../support/runs.ts';
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

const crowded = { in_flight: 50 };
const creates = async (change: Partial<CallerWithCosts> = {}) =>
  (await insertRun(draftOf({ ...by, ...change }), pricing)).run;
const costs = (run: RunRecord, pico: bigint) => transact([costWrite(run, pico, Date.now())]);
const places = async () => (await queryAll(keys.costs(id))).map(({ sk }) => String(sk).split('#')[1]);
const reads = async () => (await findBearerWithCosts('hash', id)).spent_today.workspace;

/** How many keys each read of `work` asks for, or that it is a query. */
async function readsOf(work: () => Promise<unknown>): Promise<(number | 'query')[]> {
  const seen: (number | 'query')[] = [];
  const restore = aroundTable(async ({ name, input }, carryOut) => {
    const { RequestItems = {} }: Item = { ...input };
    const asked = Object.values(Object(RequestItems)).map((one) => Object(one).Keys.length);
    if (name === 'BatchGetCommand') seen.push(...asked);
    if (name === 'QueryCommand') seen.push('query');
    return carryOut();
  });
  await work();
  restore();
  return seen;
}

test('while few runs are in flight a create reads one item of the day, and nothing of it is missing', async () => {
  const few = await Promise.all([creates(), creates()]);
  for (const run of few) await costs(run, 1_000_000_000_001n);
  await addCost({ workspace_id: id, key_id: by.key.key_id }, 5n, Date.now());
  const seen = await readsOf(async () => expect(await reads()).toBe(2_000_000_000_007n));
  // The key, the workspace, its counters, the sum.
  expect(seen).toEqual([4]);
  expect(await places()).toEqual(['0']);
});

test('with many runs each adds to its own shard, and a create reads them from the first cent on, in one query', async () => {
  const alone = await creates();
  await costs(alone, 1n);
  const many = await Promise.all(Array.from({ length: 12 }, () => creates(crowded)));
  expect(await readsOf(async () => expect(await reads()).toBe(1n))).toEqual([4, 'query']);
  await Promise.all(many.map((run) => costs(run, 10n)));
  expect(await reads()).toBe(121n);
  expect(await spentToday(id, Date.now())).toBe(121n);
  expect((await places()).length).toBeGreaterThan(2);
});

test('what is spent for a request in a crowd meets neither the runs nor other requests', async () => {
  await creates(crowded);
  const { sharded_until } = await findBearerWithCosts('hash', id);
  const payer = { workspace_id: id, key_id: 'k', sharded_until };
  for (let i = 0; i < 20; i += 1) await addCost(payer, 1n, Date.now());
  expect(await places()).not.toContain('0');
  expect(await reads()).toBe(20n);
});

test('of creates at once four take their slot with the write of the run, the others apart: no more runs meet on the sum', async () => {
  const many = await Promise.all(Array.from({ length: 30 }, () => creates()));
  expect(many.filter(({ sharded_until }) => sharded_until === undefined)).toHaveLength(4);
});

test('a resumed run adds to a shard, and a create reads it', async () => {
  const run = await givenRun(by, { change: { status: 'running', started_at: 1 } });
  const { change, events } = failed(run, runError('internal_error'), 0, [], Date.now());
  await runs.commit(run, { change, events });
  const { run: resumed } = await resumeRun(by, run.id, {}, actor);
  await costs(resumed, 7n);
  expect(await places()).not.toContain('0');
  expect(await reads()).toBe(7n);
});

test('a create reads each of the following days exactly, however long a run of the crowd lasts', async () => {
  const run = await creates(crowded);
  const noon = nextUtcDay(Date.now()) - DAY_MS / 2;
  vi.useFakeTimers({ toFake: ['Date'] });
  const spent: [string, number][] = [];
  for (let day = 0; day < 5; day += 1) {
    vi.setSystemTime(noon + day * DAY_MS);
    await costs(run, BigInt(day + 1));
    const seen = await readsOf(async () => expect(await reads()).toBe(BigInt(day + 1)));
    spent.push([(await places()).at(-1) === '0' ? 'sum' : 'shard', seen.length]);
  }
  // Readers look a day longer than runs add: their clocks differ.
  expect(spent).toEqual([
    ['shard', 2],
    ['shard', 2],
    ['sum', 2],
    ['sum', 1],
    ['sum', 1],
  ]);
});

test('without counters, as in a purge, the day is read whole', async () => {
  await costs({ ...(await creates()), sharded_until: Number.POSITIVE_INFINITY }, 9n);
  await table.send(new DeleteCommand({ TableName: tableName(), Key: keys.counters(id) }));
  expect(await reads()).toBe(9n);
});

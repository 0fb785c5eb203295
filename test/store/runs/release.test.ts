// rules.md: credits 2, usage 5, states 2. The commit that ends a run releases its slot and settles its credits, unless
// others meet there: then the run ends anyway, and its finalization releases the slot.
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { finalizeRun } from '#domain/execution/finalize-run.ts';
import { sweepSlots } from '#domain/recovery/sweep-slots.ts';
import { succeeded } from '#domain/runs/transitions.ts';
import { claimSlot } from '#store/money/claim-slot.ts';
import { spentToday } from '#store/money/costs.ts';
import { grantWrite, PENDING_MAX, readCounters } from '#store/money/counters.ts';
import { listEntries } from '#store/money/ledger.ts';
import { releaseSlot, setReservation } from '#store/money/slots.ts';
import { bothChanges, type RunChange, type RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { getItem, type Item, table, transact } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import { findBearerWithCosts } from '#store/workspaces/api-keys.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { actor, caller, endedRun, givenRun } from '../../support/runs.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { useTable } from '../../support/table.ts';

const COST = 3_000_000_000_001n;
const running = { status: 'running', started_at: 1 } as const;
const done = { index: 0, kind: 'analyze', title: 'One', status: 'completed', attempt: 1 } as const;
let by: Caller;
let id: string;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller(1000);
  id = by.workspace.workspace_id;
});
const restores: (() => void)[] = [];
afterEach(() => {
  for (const restore of restores.splice(0)) restore();
  vi.restoreAllMocks();
});

const givenRunning = (change: RunChange = {}) => givenRun(by, { change: bothChanges(running, change) });
const ends = async (run: RunRecord) => {
  const used = { ...run, steps: [{ ...done, credits_charged: 5 }] };
  const { change, events, effects } = succeeded(used, [], Date.now());
  const transition = { change: { ...change, steps: used.steps }, events, effects, cost: COST };
  return endedRun(await runs.commit(run, transition));
};
/** The counters, and what a create reads of the day. */
const standing = async () => {
  const { workspace } = (await findBearerWithCosts('hash', id)).spent_today;
  return { ...(await readCounters(id)), day: workspace };
};
/** The parts of days in the counters, by what follows the day in their names. */
const partsInCounters = async () => {
  const parts = Object.entries((await getItem(keys.counters(id))) ?? {}).flatMap(([name, pico]) => {
    const [, rest] = /^spent#[\d-]{10}(.*)$/.exec(name) ?? [];
    return rest === undefined ? [] : [[rest, BigInt(String(pico))] as const];
  });
  return Object.fromEntries(parts);
};
const settled = async () => (await listEntries(id, 100)).filter(({ kind }) => kind === 'settle');

/** The commands that the table gets from now on, and the keys that each of them writes. */
function commandsSeen(): string[] {
  const seen: string[] = [];
  const restore = aroundTable(async ({ name, input }, carryOut) => {
    const { TransactItems = [] }: Item = { ...input };
    const actions: Item[] = Array.isArray(TransactItems) ? TransactItems.flatMap(Object.values) : [];
    const counters = actions.some(({ Key }) => Object(Key).sk === 'COUNTERS');
    seen.push(`${name}${counters ? ' with counters' : ''}`);
    return carryOut();
  });
  restores.push(restore);
  return seen;
}

/** Cancels every transaction that has the counters in it, as one that meets others there. */
function meetOthersAtCounters(): void {
  const send = table.send.bind(table);
  vi.spyOn(table, 'send').mockImplementation(async (command: Parameters<typeof send>[0]) => {
    const writes = command instanceof TransactWriteCommand ? (command.input.TransactItems ?? []) : [];
    if (!writes.some(({ Update }) => Update?.Key?.sk === 'COUNTERS')) return send(command);
    const CancellationReasons = writes.map(() => ({ Code: 'TransactionConflict' }));
    throw new TransactionCanceledException({ message: 'met', CancellationReasons, $metadata: {} });
  });
}

test('while few runs are in flight one transaction ends a run, frees its slot, settles its credits and counts its cost', async () => {
  const run = await givenRunning();
  const seen = commandsSeen();
  const ended = await ends(run);
  await finalizeRun(ended);
  expect(seen).toEqual(['TransactWriteCommand with counters']);
  expect(ended).toMatchObject({ status: 'succeeded', credits_used: 5, slot_released: true });
  expect(await standing()).toMatchObject({ slots: {}, credits_free: 995, day: COST });
  expect(await settled()).toMatchObject([
    { run_id: run.id, credits: 15, credits_used: 5, credits_left: 995 },
  ]);
});

test.each<[string, (run: RunRecord) => Promise<unknown>]>([
  ['is canceled before it began', (run) => cancelRun(id, run.id, actor)],
  ['is given up', (run) => failRun({ workspace_id: id, run_id: run.id }, 'died')],
])('a run that %s frees its slot in the same transaction', async (_, end) => {
  const run = await givenRun(by);
  const seen = commandsSeen();
  await end(run);
  expect(seen.filter((command) => !/Get/.test(command))).toEqual(['TransactWriteCommand with counters']);
  expect(await readCounters(id)).toMatchObject({ slots: {}, credits_free: 1000 });
});

test('in a crowd the last commit leaves the counters alone, and the slot is released after it', async () => {
  const run = await givenRunning({ sharded_until: Date.now() + 3600_000 });
  const seen = commandsSeen();
  await finalizeRun(await ends(run));
  expect(seen).toEqual(['TransactWriteCommand', 'UpdateCommand']);
  expect(await standing()).toMatchObject({ slots: {}, credits_free: 995, day: COST });
});

test('where others meet at the counters, a run ends without them after two tries, and is settled once', async () => {
  const run = await givenRunning();
  const seen = commandsSeen();
  meetOthersAtCounters();
  const ended = await ends(run);
  expect(seen).toEqual(['TransactWriteCommand']);
  expect(table.send).toHaveBeenCalledTimes(3);
  expect(ended).toMatchObject({ status: 'succeeded' });
  expect(ended.slot_released).toBeUndefined();
  vi.restoreAllMocks();
  await finalizeRun(ended);
  await finalizeRun(ended);
  expect(await standing()).toMatchObject({ slots: {}, credits_free: 995, day: COST });
  expect(await settled()).toHaveLength(1);
});

test.each<[string, (run: RunRecord) => Promise<unknown>]>([
  ['has reserved something else', (run) => setReservation(id, run.id, 30)],
  ['was released before', (run) => releaseSlot(id, run.id, 5)],
])('a run whose slot %s ends all the same, and its cost is counted once', async (_, before) => {
  const run = await givenRunning();
  await before(run);
  await finalizeRun(await ends(run));
  expect(await standing()).toMatchObject({ slots: {}, credits_free: 995, day: COST });
});

test('a claim newer than the end, as a resume makes it, is spared', async () => {
  const run = await givenRunning();
  await releaseSlot(id, run.id, 5);
  const endsAt = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(endsAt + 1);
  await claimSlot(id, run.id, 100, 20);
  clock.mockReturnValue(endsAt);
  await finalizeRun(await ends(run));
  expect(Object.keys((await readCounters(id)).slots)).toEqual([run.id]);
});

test('the end of a run whose reply was lost knows itself, with its release', async () => {
  const run = await givenRunning();
  const once = aroundTable(async (_, carryOut) => {
    await carryOut();
    return carryOut();
  });
  const ended = await ends(run);
  once();
  const seen = commandsSeen();
  await finalizeRun(ended);
  expect(seen).toEqual([]);
  expect(await standing()).toMatchObject({ slots: {}, credits_free: 995, day: COST });
});

test('a copy of the claim that comes after the end is given back whole, though a slow clock wrote the settlement', async () => {
  const run = await givenRunning();
  const { change, events, effects } = succeeded(run, [], Date.now() + 500);
  await runs.commit(run, { change, events, effects });
  await claimSlot(id, run.id, 100, 20);
  await releaseSlot(id, run.id, 5, { until: change.completed_at });
  expect((await readCounters(id)).credits_free).toBe(1000);
});

test('when many entries of the ledger are pending, a run is settled apart and moves them', async () => {
  const run = await givenRunning();
  for (let i = 0; i < PENDING_MAX; i += 1) await transact([grantWrite(id, 980)]);
  await finalizeRun(await ends(run));
  expect(await readCounters(id)).toMatchObject({ slots: {}, noted: [], credits_free: 995 });
  expect(await settled()).toHaveLength(1);
});

test('the cost of every end is in the day, of the workspace and of each key, until the day is over; then the counters forget it', async () => {
  for (const key_id of ['one', 'two', 'one']) await ends(await givenRunning({ key_id }));
  expect(await partsInCounters()).toEqual({ '': 3n * COST, '#one': 2n * COST, '#two': COST });
  const nextDay = Date.now() + 24 * 3600_000;
  vi.spyOn(Date, 'now').mockReturnValue(nextDay);
  await ends(await givenRunning());
  await sweepSlots(sweepTime(nextDay + 1));
  expect(await partsInCounters()).toEqual({ '': COST, [`#${by.key.key_id}`]: COST });
  expect(await spentToday(id, nextDay)).toBe(COST);
});

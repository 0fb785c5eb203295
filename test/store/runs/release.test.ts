// rules.md: credits 2, usage 5. The slot of a run is released, and its credits settled, after the commit that ends it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { finalizeRun } from '#domain/execution/finalize-run.ts';
import { succeeded } from '#domain/runs/transitions.ts';
import { claimSlot } from '#store/money/claim-slot.ts';
import { grantWrite, PENDING_MAX, readCounters } from '#store/money/counters.ts';
import { listEntries } from '#store/money/ledger.ts';
import { releaseSlot, setReservation } from '#store/money/slots.ts';
import { bothChanges, type RunChange, type RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { transact } from '#store/table/table.ts';
import { findBearerWithCosts } from '#store/workspaces/api-keys.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { actor, caller, endedRun, givenRun } from '../../support/runs.ts';
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
const settled = async () => (await listEntries(id, 100)).filter(({ kind }) => kind === 'settle');

/** The commands that the table gets from now on, without reads. */
function writesSeen(): string[] {
  const seen: string[] = [];
  const restore = aroundTable(async ({ name }, carryOut) => {
    if (!/Get|Query/.test(name)) seen.push(name);
    return carryOut();
  });
  restores.push(restore);
  return seen;
}

test('one transaction ends a run and counts its cost; then one update frees its slot and settles its credits, once', async () => {
  const run = await givenRunning();
  const seen = writesSeen();
  const ended = await ends(run);
  await finalizeRun(ended);
  expect(seen).toEqual(['TransactWriteCommand', 'UpdateCommand']);
  expect(ended).toMatchObject({ status: 'succeeded', credits_used: 5 });
  await finalizeRun(ended);
  expect(await standing()).toMatchObject({ slots: {}, credits_free: 995, day: COST });
  expect(await settled()).toMatchObject([
    { run_id: run.id, credits: 15, credits_used: 5, credits_left: 995 },
  ]);
});

test.each<[string, (run: RunRecord) => Promise<unknown>]>([
  ['is canceled before it began', (run) => cancelRun(id, run.id, actor)],
  ['is given up', (run) => failRun({ workspace_id: id, run_id: run.id }, 'died')],
])('a run that %s frees its slot', async (_, end) => {
  await end(await givenRun(by));
  expect(await readCounters(id)).toMatchObject({ slots: {}, credits_free: 1000 });
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

test('the end of a run whose reply was lost is settled once, and its cost is counted once', async () => {
  const run = await givenRunning();
  const once = aroundTable(async (_, carryOut) => {
    await carryOut();
    return carryOut();
  });
  const ended = await ends(run);
  once();
  await finalizeRun(ended);
  expect(await standing()).toMatchObject({ slots: {}, credits_free: 995, day: COST });
});

test('a copy of the claim that comes after the end is given back whole, though a slow clock wrote the settlement', async () => {
  const run = await givenRunning();
  const { change, events, effects } = succeeded(run, [], Date.now() + 500);
  await finalizeRun(endedRun(await runs.commit(run, { change, events, effects })));
  await claimSlot(id, run.id, 100, 20);
  await releaseSlot(id, run.id, 5, { until: change.completed_at });
  expect((await readCounters(id)).credits_free).toBe(1000);
});

test('when many entries of the ledger are pending, a run that is settled moves them', async () => {
  const run = await givenRunning();
  for (let i = 0; i < PENDING_MAX; i += 1) await transact([grantWrite(id, 980)]);
  await finalizeRun(await ends(run));
  expect(await readCounters(id)).toMatchObject({ slots: {}, noted: [], credits_free: 995 });
  expect(await settled()).toHaveLength(1);
});

// The lease of an invocation: its commits run one at a time, and none follows one whose outcome is unknown.
import { expect, onTestFinished, test } from 'vitest';
import { acquiredLease, startingLease } from '#domain/execution/run-lease.ts';
import * as jobs from '#store/runs/jobs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { aroundTable } from '../../support/around-table.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();

test('after a commit whose reply was lost nothing is counted again', async () => {
  const run = await givenRun(await caller(100), { change: { status: 'running', owner: 'us' } });
  const lease = acquiredLease(run, run);
  const counts = (run: RunRecord) => ({
    change: { spent: { ...run.spent, calls: run.spent.calls + 1 } },
  });
  const restore = aroundTable(async (_, carryOut) => {
    await carryOut();
    restore();
    throw new Error('no reply');
  });
  onTestFinished(restore);
  const both = await Promise.allSettled([lease.commit(counts), lease.commit(counts)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const { workspace_id, id } = lease.run;
  expect((await runs.get(workspace_id, id))?.spent.calls).toBe(1);
});

test('after a commit whose effect was refused nothing is written, and the next one follows', async () => {
  const run = await givenRun(await caller(100), { change: { status: 'running', owner: 'us' } });
  const lease = acquiredLease(run, run);
  const refused = jobs.overWrite(
    { workspace_id: run.workspace_id, run_id: run.id, position: 0, resume: 0, attempt: 1 },
    { status: 'replaced', completed_at: 0 },
  );
  const both = await Promise.allSettled([
    lease.commit(() => ({ change: { position: 7 }, effects: [refused] })),
    lease.commit(() => ({ change: { message: 'next' } })),
  ]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(await stored(run)).toMatchObject({ position: 0, message: 'next' });
});

const start = {
  change: { status: 'running', owner: 'us' },
  events: [{ event_type: 'run.started', data: { status: 'running', step_count: 1 } }],
} as const;
const starts = (run: RunRecord) => startingLease(run, { change: start.change, events: [...start.events] });
const stored = async ({ workspace_id, id }: RunRecord) => runs.get(workspace_id, id);

test('a start is committed together with what follows it, in one write', async () => {
  const run = await givenRun(await caller(100));
  const lease = starts(run);
  expect(lease.run).toMatchObject({ status: 'running', last_sequence: run.last_sequence + 1 });
  expect(await stored(run)).toEqual(run);
  await lease.commit(() => ({ change: { position: 1 }, events: [...start.events] }));
  expect(await stored(run)).toMatchObject({
    ...start.change,
    position: 1,
    version: run.version + 1,
    last_sequence: run.last_sequence + 2,
  });
});

test('a start that must be visible at once is committed alone, and once', async () => {
  const run = await givenRun(await caller(100));
  const lease = starts(run);
  await Promise.all([lease.acquire(), lease.acquire()]);
  expect(await stored(run)).toMatchObject({ ...start.change, version: run.version + 1 });
});

test('of two invocations that start a run one must read it again', async () => {
  const run = await givenRun(await caller(100));
  const [one, other] = [starts(run), starts(run)];
  await one.acquire();
  await expect(other.commit(() => ({ change: { position: 1 } }))).rejects.toThrow(runs.StaleRun);
  expect((await stored(run))?.position).toBe(0);
});

// The lease of an invocation: its commits are serialized, and none follows one with an unknown outcome.
import { expect, onTestFinished, test } from 'vitest';
import { openLease } from '#domain/execution/run-lease.ts';
import * as runs from '#store/runs/runs.ts';
import { aroundTable } from '../../support/around-table.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();

test('after a commit whose reply was lost nothing is counted again', async () => {
  const lease = openLease(await givenRun(await caller(100), { change: { status: 'running', owner: 'us' } }));
  const counts = (run: runs.RunRecord) => ({
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

const beginning = {
  change: { status: 'running', owner: 'us' },
  events: [{ event_type: 'run.started', data: { status: 'running', step_count: 1 } }],
} as const;
const begins = (run: runs.RunRecord) =>
  openLease(run, { change: beginning.change, events: [...beginning.events] });
const stored = async ({ workspace_id, id }: runs.RunRecord) => runs.get(workspace_id, id);

test('a beginning is committed together with what follows it, in one write', async () => {
  const run = await givenRun(await caller(100));
  const lease = begins(run);
  expect(lease.run).toMatchObject({ status: 'running', last_sequence: run.last_sequence + 1 });
  expect(await stored(run)).toEqual(run);
  await lease.commit(() => ({ change: { position: 1 }, events: [...beginning.events] }));
  expect(await stored(run)).toMatchObject({
    ...beginning.change,
    position: 1,
    version: run.version + 1,
    last_sequence: run.last_sequence + 2,
  });
});

test('a beginning that is to be seen at once is committed alone, and once', async () => {
  const run = await givenRun(await caller(100));
  const lease = begins(run);
  await Promise.all([lease.hold(), lease.hold()]);
  expect(await stored(run)).toMatchObject({ ...beginning.change, version: run.version + 1 });
});

test('of two that begin a run one learns that it has to look again', async () => {
  const run = await givenRun(await caller(100));
  const [one, other] = [begins(run), begins(run)];
  await one.hold();
  await expect(other.commit(() => ({ change: { position: 1 } }))).rejects.toThrow(runs.StaleRun);
  expect((await stored(run))?.position).toBe(0);
});

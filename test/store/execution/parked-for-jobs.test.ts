// rules.md: jobs 6. The execution of a run that waits for a job, beside messages that come as it is parked.
import { beforeEach, expect, test } from 'vitest';
import { parkRun } from '#domain/execution/park-run.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { replaceQueue, replaceStateMachine, wokenTokens } from '../../support/fakes.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();
beforeEach(() => {
  replaceStateMachine();
  replaceQueue();
});

/** A run that waits for a job for so many seconds more. */
const waitsFor = async (seconds: number): Promise<RunRecord> => {
  const since = Date.now();
  const waiting = { reason: 'job' as const, since, until: since + seconds * 1000, job_id: 'a' };
  return givenRun(await caller(1000), { change: { status: 'running', waiting } });
};
const placeOf = ({ workspace_id, id: run_id }: RunRecord) => ({ workspace_id, run_id });

test('an execution whose job has failed since its slice goes on for the next attempt, not for its own timer', async () => {
  await parkRun(placeOf(await waitsFor(2)), 'token', 3600);
  expect(wokenTokens()).toEqual(['token']);
});

test('an execution that waits for what its slice has seen is left alone', async () => {
  await parkRun(placeOf(await waitsFor(3600)), 'token', 3600);
  await parkRun(placeOf(await waitsFor(2)), 'another', 2);
  expect(wokenTokens()).toEqual([]);
});

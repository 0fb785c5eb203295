// The sweep: what crashes left half-done is finished, and what lives is left alone.
import { StartExecutionCommand } from '@aws-sdk/client-sfn';
import { beforeEach, expect, test } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { sweepRuns } from '#domain/recovery/sweep.ts';
import { runError } from '#domain/runs/run-error.ts';
import { canceled } from '#domain/runs/transitions.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { readCounters } from '#store/counters.ts';
import * as runs from '#store/runs.ts';
import {
  executionIs,
  executionIsUnknowable,
  replaceStateMachine,
  sfn,
  startedNames,
  wokenTokens,
} from '../../support/fakes.ts';
import { caller, givenRun, logOf } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

let by: Caller;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller(1000);
});

const later = () => Date.now() + 10 * 60_000;
const now = (run: runs.RunRecord) => runs.get(run.workspace_id, run.id);
const placeOf = (run: runs.RunRecord) => ({ workspace_id: run.workspace_id, run_id: run.id });
const slotsOf = async () => Object.keys((await readCounters(by.workspace.workspace_id)).slots);
const running = { status: 'running', started_at: 1 } as const;

/** Runs of other tests are due as well; only this one counts. */
const startedFor = (run: runs.RunRecord) => startedNames().filter((name) => name?.startsWith(run.id));

test('a run whose execution never started is started under its own name', async () => {
  const run = await givenRun(by);
  await sweepRuns(later());
  expect(startedFor(run)).toEqual([run.id]);
});

test('a run is left alone for its first minute', async () => {
  const run = await givenRun(by);
  await sweepRuns(Date.now());
  expect(startedFor(run)).toEqual([]);
});

test('a run whose execution lives is left alone', async () => {
  const run = await givenRun(by, { change: running });
  executionIs(run.id, 'RUNNING');
  await sweepRuns(later());
  expect(startedFor(run)).toEqual([]);
  expect((await now(run))?.due_at).toBeGreaterThan(Date.now() + 9 * 60_000);
});

test('an execution that died is followed by one with a new name, also when it died before it began', async () => {
  const run = await givenRun(by);
  executionIs(run.id, 'FAILED');
  await sweepRuns(later());
  expect(startedFor(run)).toEqual([`${run.id}-s1`]);
  executionIs(`${run.id}-s1`, 'FAILED');
  await sweepRuns(later() + 10 * 60_000);
  expect(startedFor(run)).toEqual([`${run.id}-s1`, `${run.id}-s2`]);
});

test('a parked run whose maintenance is over is woken', async () => {
  const run = await givenRun(by, { change: { status: 'paused', task_token: 'token' } });
  executionIs(run.id, 'RUNNING');
  expect((await sweepRuns(later())).runs_woken).toBeGreaterThanOrEqual(1);
  expect(wokenTokens()).toContain('token');
});

test('one run that cannot be healed does not keep the others from it', async () => {
  const broken = await givenRun(by);
  executionIsUnknowable(broken.id);
  const run = await givenRun(by);
  await sweepRuns(later());
  expect(startedFor(run)).toEqual([run.id]);
  expect(startedFor(broken)).toEqual([]);
});

test('a start that fails is made good by the next sweep', async () => {
  const run = await givenRun(by);
  sfn.on(StartExecutionCommand).rejectsOnce(new Error('away')).resolves({});
  await sweepRuns(later());
  await sweepRuns(later() + 10 * 60_000);
  expect(startedFor(run).at(-1)).toBe(run.id);
});

test('the slot of a run that ended unsettled is released with what it used, and only then', async () => {
  const living = await givenRun(by);
  const run = await givenRun(by, { change: running });
  const { change, events } = canceled(run, null, [], Date.now());
  await runs.commit(run, { ...change, credits_used: 7 }, events);
  await sweepRuns(Date.now());
  expect(await slotsOf()).toEqual([living.id]);
  expect((await readCounters(by.workspace.workspace_id)).credits_free).toBe(1000 - 7 - 20);
});

test('a canceled run whose step died is finished by its next execution: the step runs to its end', async () => {
  const steps = [{ index: 0, kind: 'analyze', title: 'One', status: 'running', attempt: 1 }] as const;
  const run = await givenRun(by, {
    change: {
      ...running,
      status: 'canceled',
      completed_at: Date.now(),
      errors: [runError('canceled_by_user')],
      steps: [...steps],
      owner: 'gone',
    },
  });
  await sweepRuns(later());
  expect(startedFor(run)).toEqual([run.id]);
  const action = await executeSlice(placeOf(run), {
    model: offlineModel(),
    prices: { offline: { input: 1, cached_input: 1, output: 1 } },
    max_parallel_calls: 1,
    slice_ms: 1000,
    steps_per_slice: undefined,
    sourcesFor: (of, meter) => sourcesOf(of, (texts) => meter.embed(texts)),
  });
  expect(action).toBe('end');
  const log = await logOf(run, 1, 10);
  expect(log.at(-1)).toMatchObject({ event_type: 'run.canceled', data: { step_index: 0 } });
  expect((await now(run))?.log_finished).toBe(true);
});

test('a run given up fails with an event for its step and one for itself, once', async () => {
  const steps = [{ index: 0, kind: 'analyze', title: 'One', status: 'running', attempt: 1 }] as const;
  const run = await givenRun(by, { change: { ...running, steps: [...steps] } });
  await failRun(placeOf(run), 'Lambda.Unknown');
  await failRun(placeOf(run), 'Lambda.Unknown');
  const log = await logOf(run, 1, 10);
  expect(log.map(({ event_type }) => event_type)).toEqual(['step.failed', 'run.failed']);
  expect(await now(run)).toMatchObject({
    status: 'failed',
    errors: [{ code: 'internal_error', details: { step_index: 0 } }],
    credits_used: 0,
  });
  expect(await slotsOf()).toEqual([]);
});

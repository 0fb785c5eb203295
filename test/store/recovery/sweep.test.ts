// The sweep: what crashes left half-done is finished, and what lives is left alone.
import { SendTaskSuccessCommand, StartExecutionCommand, TaskTimedOut } from '@aws-sdk/client-sfn';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { sweepRuns } from '#domain/recovery/sweep-runs.ts';
import { sweepSlots } from '#domain/recovery/sweep-slots.ts';
import { runError } from '#domain/runs/run-error.ts';
import { canceled } from '#domain/runs/transitions.ts';
import { readCounters } from '#store/money/counters.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { getItem, table, tableName } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import {
  executionIs,
  executionIsUnknowable,
  replaceStateMachine,
  sfn,
  startedNames,
  wokenTokens,
} from '../../support/fakes.ts';
import { caller, givenRun, logOf } from '../../support/runs.ts';
import { sliceSetting } from '../../support/slice-setting.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { useTable } from '../../support/table.ts';

let by: Caller;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller(1000);
});

const later = () => Date.now() + 10 * 60_000;
/** Longer than a slice lasts. */
const muchLater = () => Date.now() + 20 * 60_000;
const now = (run: RunRecord) => runs.get(run.workspace_id, run.id);
const placeOf = (run: RunRecord) => ({ workspace_id: run.workspace_id, run_id: run.id });
const slotsOf = async () => Object.keys((await readCounters(by.workspace.workspace_id)).slots);
const running = { status: 'running', started_at: 1 } as const;

/** Runs of other tests are due as well; only this one counts. */
const startedFor = (run: RunRecord) => startedNames().filter((name) => name?.startsWith(run.id));

test('a run whose execution never started is started under its own name', async () => {
  const run = await givenRun(by);
  await sweepRuns(sweepTime(later()));
  expect(startedFor(run)).toEqual([run.id]);
});

test('a run is left alone for its first minute', async () => {
  const run = await givenRun(by);
  await sweepRuns(sweepTime(Date.now()));
  expect(startedFor(run)).toEqual([]);
});

test('a run that works is left alone, and not even asked after, until it has been silent for longer than a slice', async () => {
  const run = await givenRun(by, { change: running });
  await sweepRuns(sweepTime(later()));
  expect(startedFor(run)).toEqual([]);
  expect((await now(run))?.due_at).toBe(run.last_event_at + 16 * 60_000);
});

test('a silent run whose execution lives is looked at again after the time of a slice', async () => {
  const run = await givenRun(by, { change: running });
  executionIs(run.id, 'RUNNING');
  const time = sweepTime(muchLater());
  await sweepRuns(time);
  expect(startedFor(run)).toEqual([]);
  expect((await now(run))?.due_at).toBe(time.now + 16 * 60_000);
});

test('a look takes nothing from the invocation that works: its next commit is not stale, and moves the next look by itself', async () => {
  const run = await givenRun(by, { change: { ...running, due_at: Date.now() } });
  await sweepRuns(sweepTime(later()));
  const after = await runs.commit(run, { change: { position: 1 } });
  expect(after.due_at).toBeGreaterThan(Date.now() + 15 * 60_000);
});

test('a silent run whose execution is gone gets a new one', async () => {
  const run = await givenRun(by, { change: running });
  executionIs(run.id, 'FAILED');
  await sweepRuns(sweepTime(muchLater()));
  expect(startedFor(run)).toEqual([`${run.id}-s1`]);
  expect((await now(run))?.execution).toBe(`${run.id}-s1`);
});

test('the runs of every partition of the index are swept', async () => {
  const many = await Promise.all(Array.from({ length: 40 }, () => givenRun(by)));
  await sweepRuns(sweepTime(later()));
  expect(many.flatMap(startedFor).toSorted()).toEqual(many.map(({ id }) => id).toSorted());
  expect(new Set(many.map(({ due_pk }) => due_pk)).size).toBeGreaterThan(4);
});

test('an execution that died is followed by one with a new name, also when it died before it began', async () => {
  const run = await givenRun(by);
  executionIs(run.id, 'FAILED');
  await sweepRuns(sweepTime(later()));
  expect(startedFor(run)).toEqual([`${run.id}-s1`]);
  executionIs(`${run.id}-s1`, 'FAILED');
  await sweepRuns(sweepTime(later() + 10 * 60_000));
  expect(startedFor(run)).toEqual([`${run.id}-s1`, `${run.id}-s2`]);
});

test('a parked run whose maintenance is over is woken', async () => {
  const run = await givenRun(by, { change: { status: 'paused', task_token: 'token' } });
  expect((await sweepRuns(sweepTime(later()))).runs_woken).toBeGreaterThanOrEqual(1);
  expect(wokenTokens()).toContain('token');
  expect(startedFor(run)).toEqual([]);
});

test('a parked run is looked at every minute while maintenance lasts', async () => {
  await workspaces.update(by.workspace.workspace_id, { maintenance: true });
  const run = await givenRun(by, { change: { status: 'paused', task_token: 'waits' } });
  const time = sweepTime(later());
  await sweepRuns(time);
  expect(wokenTokens()).not.toContain('waits');
  expect((await now(run))?.due_at).toBe(time.now + 60_000);
});

test('a parked run whose execution is gone gets a new one when maintenance is over', async () => {
  const run = await givenRun(by, { change: { status: 'paused', task_token: 'gone' } });
  sfn
    .on(SendTaskSuccessCommand, { taskToken: 'gone' })
    .rejects(new TaskTimedOut({ message: '', $metadata: {} }));
  executionIs(run.id, 'FAILED');
  await sweepRuns(sweepTime(later()));
  expect(startedFor(run)).toEqual([`${run.id}-s1`]);
});

test('one run that cannot be healed does not keep the others from it', async () => {
  const broken = await givenRun(by);
  executionIsUnknowable(broken.id);
  const run = await givenRun(by);
  await sweepRuns(sweepTime(later()));
  expect(startedFor(run)).toEqual([run.id]);
  expect(startedFor(broken)).toEqual([]);
});

test('a run that cannot even be read is counted and put off, each time for longer, up to a quarter of an hour', async () => {
  const broken = await givenRun(by);
  const key = keys.run(broken.workspace_id, broken.id);
  const ExpressionAttributeNames = { '#status': 'status' };
  const ExpressionAttributeValues = { ':status': 'of another time' };
  const UpdateExpression = 'SET #status = :status';
  const TableName = tableName();
  await table.send(
    new UpdateCommand({
      TableName,
      Key: key,
      UpdateExpression,
      ExpressionAttributeNames,
      ExpressionAttributeValues,
    }),
  );
  const dueAt = async () => (await getItem(key))?.due_at;
  const first = later();
  expect((await sweepRuns(sweepTime(first))).repairs_failed).toBe(1);
  expect(await dueAt()).toBe(first + 60_000);
  expect((await sweepRuns(sweepTime(first + 1))).repairs_failed).toBe(0);
  const second = first + 60_001;
  await sweepRuns(sweepTime(second));
  expect(await dueAt()).toBe(second + 120_000);
  let now = second;
  const delays = [];
  for (let look = 0; look < 18; look += 1) {
    const due = Number(await dueAt());
    delays.push((due - now) / 60_000);
    now = due + 1;
    await sweepRuns(sweepTime(now));
  }
  expect(delays).toEqual([...Array.from({ length: 14 }, (_, i) => i + 2), 15, 15, 15, 15]);
});

test('a sweep whose time is used begins no more', async () => {
  const run = await givenRun(by);
  await sweepRuns({ now: later(), until: Date.now() - 1 });
  expect(startedFor(run)).toEqual([]);
});

test('a start that fails is made good by the next sweep', async () => {
  const run = await givenRun(by);
  const start = { name: run.id };
  sfn.on(StartExecutionCommand, start).rejectsOnce(new Error('away')).resolves({});
  await sweepRuns(sweepTime(later()));
  await sweepRuns(sweepTime(later() + 10 * 60_000));
  await sweepRuns(sweepTime(later() + 11 * 60_000));
  expect(sfn.commandCalls(StartExecutionCommand, start)).toHaveLength(2);
});

test('the slot of a run that ended unsettled is released with what it used, and only then', async () => {
  const living = await givenRun(by);
  const run = await givenRun(by, { change: running });
  const { change, events } = canceled(run, null, [], Date.now());
  await runs.commit(run, { change: { ...change, credits_used: 7 }, events });
  await sweepSlots(sweepTime(later()));
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
  await sweepRuns(sweepTime(muchLater()));
  expect(startedFor(run)).toEqual([run.id]);
  const action = await executeSlice(placeOf(run), sliceSetting());
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

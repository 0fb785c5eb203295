// rules.md: waits. A run that waits for a model, slice by slice.
import { beforeEach, expect, test } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { parkRun } from '#domain/execution/park-run.ts';
import { sweepRuns } from '#domain/recovery/sweep-runs.ts';
import { endMaintenance, startMaintenance } from '#domain/workspaces/maintenance.ts';
import { ModelsAway } from '#models/models-away.ts';
import type { EndpointState } from '#store/models/endpoint-state.ts';
import { changeState } from '#store/models/endpoints.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import {
  executionIs,
  replaceQueue,
  replaceStateMachine,
  startedNames,
  wokenTokens,
} from '../../support/fakes.ts';
import { modelOf } from '../../support/model-of.ts';
import { actor, caller, givenRun, logOf } from '../../support/runs.ts';
import { sliceSetting } from '../../support/slice-setting.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { useTable } from '../../support/table.ts';

let by: Caller;
let asked = 0;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  replaceQueue();
  by = await caller(1000);
  asked = 0;
});

/** A model that answers as `answer` does; `asked` counts its answers. */
const settingWith = (answer: () => Promise<void>) =>
  sliceSetting({
    model: modelOf(async (_task, _input, _context, { onReply }) => {
      await answer();
      asked += 1;
      onReply({ input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, thinking_tokens: 0 });
      return Object({ findings: 'Found.', text: 'Found.' });
    }),
    model_wait_seconds: 3600,
  });
const away = (until = Date.now()) =>
  settingWith(async () => {
    throw new ModelsAway(until, 'offline');
  });
const answering = settingWith(async () => undefined);

const placeOf = ({ workspace_id, id: run_id }: RunRecord) => ({ workspace_id, run_id });
async function now(run: RunRecord): Promise<RunRecord> {
  const found = await runs.get(run.workspace_id, run.id);
  if (!found) throw new Error('the run is gone');
  return found;
}
const typesOf = async (run: RunRecord) => (await logOf(run, 0, 50)).map(({ event_type }) => event_type);

/** The endpoint has been away, and one call may try it. */
async function mayBeTried(): Promise<void> {
  const at = Date.now() - 1;
  const due: EndpointState = { times: 1, since: at, went_at: at, until: at };
  await changeState('offline', () => due);
}

async function waitingRun(until?: number): Promise<RunRecord> {
  const run = await givenRun(by);
  expect(await executeSlice(placeOf(run), away(until))).toMatchObject({ reason: 'model_unavailable' });
  return now(run);
}

test('a run whose model is back starts in the commit of what follows its call or before it, once', async () => {
  const run = await waitingRun();
  expect(run).toMatchObject({ status: 'paused', waiting: { step_index: 0 } });
  expect(await executeSlice(placeOf(run), answering)).toBe('end');
  const after = await now(run);
  expect(after).toMatchObject({
    status: 'succeeded',
    model_waited_ms: expect.any(Number),
  });
  expect(after.version - run.version).toBe(2);
  expect((await typesOf(run)).filter((type) => type.startsWith('run.'))).toEqual([
    ...['run.created', 'run.started', 'run.paused', 'run.started', 'run.succeeded'],
  ]);
});

test('a run whose call tries the model stays paused until it has an answer', async () => {
  const run = await waitingRun();
  await mayBeTried();
  const seen: string[] = [];
  const trying = settingWith(async () => void seen.push((await now(run)).status));
  expect(await executeSlice(placeOf(run), trying)).toBe('end');
  expect(seen).toEqual(['paused']);
  expect((await typesOf(run)).filter((type) => type === 'run.started')).toHaveLength(2);
});

test('a run that looks in vain waits on, with a later time and no event', async () => {
  const run = await waitingRun();
  await mayBeTried();
  const later = Date.now() + 60_000;
  expect(await executeSlice(placeOf(run), away(later))).toEqual({ ...run.waiting, until: later });
  const after = await now(run);
  expect([after.status, after.last_sequence, after.owner]).toEqual(['paused', run.last_sequence, undefined]);
});

test('a run that is woken before its time waits on without a commit', async () => {
  const run = await waitingRun(Date.now() + 60_000);
  expect(await executeSlice(placeOf(run), answering)).toEqual(run.waiting);
  expect((await now(run)).version).toBe(run.version);
  expect(asked).toBe(0);
});

test('its token is saved, and not answered before a cancel', async () => {
  const run = await waitingRun(Date.now() + 60_000);
  await parkRun(placeOf(run), 'token');
  expect(wokenTokens()).toEqual([]);
  await cancelRun(run.workspace_id, run.id, actor);
  expect(wokenTokens()).toEqual(['token']);
  expect(await now(run)).toMatchObject({ status: 'canceled', log_finished: true });
});

test('a run that is canceled while its call tries the model has ended, and the answer is paid for', async () => {
  const run = await waitingRun();
  await mayBeTried();
  const canceling = settingWith(async () => void (await cancelRun(run.workspace_id, run.id, actor)));
  expect(await executeSlice(placeOf(run), canceling)).toBe('end');
  expect(await now(run)).toMatchObject({ status: 'canceled', spent: { calls: 1 } });
  expect((await typesOf(run)).at(-1)).toBe('run.canceled');
});

test('maintenance that begins while its call tries the model holds it; the answer is not asked for again', async () => {
  const run = await waitingRun();
  await mayBeTried();
  const begins = settingWith(async () => void (await startMaintenance(run.workspace_id, undefined, actor)));
  expect(await executeSlice(placeOf(run), begins)).toMatchObject({ reason: 'maintenance' });
  expect(await now(run)).toMatchObject({ status: 'paused', waiting: { reason: 'maintenance' } });
  await endMaintenance(run.workspace_id, undefined, actor);
  expect(await executeSlice(placeOf(run), answering)).toBe('end');
  expect(await now(run)).toMatchObject({ status: 'succeeded', spent: { calls: 1 } });
  expect(asked).toBe(1);
});

test('the sweep looks at a waiting run a minute after its time, and starts a lost execution again', async () => {
  const until = Date.now() + 600_000;
  const run = await waitingRun(until);
  executionIs(run.id, 'FAILED');
  await sweepRuns(sweepTime(until + 59_000));
  expect(await now(run)).toEqual(run);
  await sweepRuns(sweepTime(until + 61_000));
  expect(startedNames()).toContain(`${run.id}-s1`);
});

test('the sweep wakes a run whose state machine knows no time', async () => {
  const until = Date.now() + 600_000;
  const run = await waitingRun(until);
  await parkRun(placeOf(run), 'token');
  expect(await sweepRuns(sweepTime(until + 61_000))).toMatchObject({ runs_woken: 1 });
  expect(wokenTokens()).toEqual(['token']);
});

test('the sweep fails a waiting run at its deadline', async () => {
  const run = await givenRun(by, { change: { config: { timeout_seconds: 60 } } });
  expect(await executeSlice(placeOf(run), away(Date.now() + 600_000))).toMatchObject({
    until: expect.any(Number),
  });
  const { due_at = 0, waiting } = await now(run);
  expect(due_at - (waiting?.until ?? 0)).toBeLessThan(1000);
});

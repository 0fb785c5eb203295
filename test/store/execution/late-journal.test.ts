// rules.md: usage 8. While one process ends a run, an invocation that has lost it may journal one more call, and leaves
// it to the owner to count.
import { inspect } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { newRun } from '#domain/runs/new-run.ts';
import { ModelError } from '#models/model.ts';
import { newId } from '#platform/ids.ts';
import { spentToday } from '#store/money/costs.ts';
import { inputWrite } from '#store/runs/inputs.ts';
import { PLANNING, recordCall } from '#store/runs/journal.ts';
import { nothingSpent, type RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { modelOf } from '../../support/model-of.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { sliceSetting } from '../../support/slice-setting.ts';
import { useTable } from '../../support/table.ts';

let by: Caller;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller(1000);
});

const setting = sliceSetting({
  model: modelOf(() => Promise.reject(new ModelError('Not today.', { cause: 'refused' }))),
});
const placeOf = ({ workspace_id, id: run_id }: RunRecord) => ({ workspace_id, run_id });

const spent = { ...nothingSpent, calls: 1, cost_pico_usd: '1000000000000' };

/** Another invocation journals a call of one USD just before the commit that ends the run. */
function journalBeforeTheEnd(run: RunRecord): void {
  const late = { call: 3, step_attempt: 1, spent, output: 'late' };
  const stop = aroundTable(async ({ name, input }, carryOut) => {
    if (name === 'TransactWriteCommand' && inspect(input, { depth: 9 }).includes('run.failed')) {
      stop();
      await recordCall({ ...placeOf(run), position: run.position }, late, {});
    }
    return carryOut();
  });
  onTestFinished(stop);
}

test.each([
  ['its step fails', (run: RunRecord) => executeSlice(placeOf(run), setting)],
  ['it is given up', (run: RunRecord) => failRun(placeOf(run), 'Lambda.Unknown')],
])('a call that is journaled while %s is counted once', async (_, end) => {
  const made = await givenRun(by);
  const [step] = made.steps;
  if (!step) throw new Error('the run has no step');
  const begun = { ...step, status: 'running' as const, attempt: 1 };
  const run = await runs.commit(made, { change: { status: 'running', started_at: 1, steps: [begun] } });
  journalBeforeTheEnd(run);
  await end(run);
  // Neither the repeated task nor the last resort counts it again.
  await executeSlice(placeOf(run), setting);
  await failRun(placeOf(run), 'Lambda.Unknown');
  const ended = await runs.get(run.workspace_id, run.id);
  expect(ended).toMatchObject({ status: 'failed', spent: { calls: 1, cost_pico_usd: '1000000000000' } });
  expect(await spentToday(run.workspace_id, Date.now())).toBe(1_000_000_000_000n);
});

test('a call of a planning that fails is counted once, however often the run is given up', async () => {
  const { workspace } = by;
  const input = { input_type: 'query' as const, query: 'x' };
  const draft = {
    id: newId(),
    caller: by,
    request_id: 'r',
    input,
    title: 'x',
    config: {},
    metadata: undefined,
  };
  const unplanned = newRun({
    ...draft,
    plan: undefined,
    plan_fingerprint: undefined,
    reserved: undefined,
    simulated: false,
  });
  const made = await runs.create(
    unplanned,
    [{ event_type: 'run.created', data: { status: 'pending', input_type: 'query' } }],
    [await inputWrite(workspace.workspace_id, unplanned.id, input)],
  );
  const failed = { call: 0, step_attempt: 1, spent, error: 'No plan.' };
  await recordCall({ ...placeOf(made), position: PLANNING }, failed, {});
  const run = await runs.commit(made, { change: { status: 'running', started_at: 1 } });
  await executeSlice(placeOf(run), setting);
  await failRun(placeOf(run), 'Lambda.Unknown');
  expect(await runs.get(run.workspace_id, run.id)).toMatchObject({ status: 'failed', spent: { calls: 1 } });
  expect(await spentToday(run.workspace_id, Date.now())).toBe(1_000_000_000_000n);
});

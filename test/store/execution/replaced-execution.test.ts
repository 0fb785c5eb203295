// An execution whose run was resumed while a task of it was still tried again: the run belongs to the newer one.
import { beforeEach, expect, test } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { parkRun } from '#domain/execution/park-run.ts';
import type { RunChange, RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { replaceStateMachine, wokenTokens } from '../../support/fakes.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { sliceSetting } from '../../support/slice-setting.ts';
import { useTable } from '../../support/table.ts';

let by: Caller;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller(1000);
});

const setting = sliceSetting();
const now = (run: RunRecord) => runs.get(run.workspace_id, run.id);
const resumed = (change: RunChange) => ({ change: { ...change, execution: 'second' } });
const first = ({ workspace_id, id: run_id }: RunRecord) => ({
  workspace_id,
  run_id,
  execution: 'first',
});

test('it does not take the lease from its successor', async () => {
  const run = await givenRun(by, resumed({ status: 'running', started_at: 1, owner: 'successor' }));
  expect(await executeSlice(first(run), setting)).toBe('end');
  expect(await now(run)).toEqual(run);
});

test('giving up, it does not fail the resumed run', async () => {
  const run = await givenRun(by, resumed({ status: 'running', started_at: 1, owner: 'successor' }));
  await failRun(first(run), 'Lambda.Unknown');
  expect(await now(run)).toEqual(run);
});

test('it does not park for its successor, and continues to its own end', async () => {
  const run = await givenRun(by, resumed({ status: 'paused', task_token: 'of the successor' }));
  await parkRun(first(run), 'of the first');
  expect(await now(run)).toEqual(run);
  expect(wokenTokens()).toEqual(['of the first']);
});

// rules.md: deadlines 1. The time that a run was paused does not count, also while its start is not committed yet.
import { beforeEach, expect, test } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import * as runs from '#store/runs/runs.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { sliceSetting } from '../../support/slice-setting.ts';
import { useTable } from '../../support/table.ts';

const HOUR_MS = 3_600_000;

let by: Caller;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller();
});

test('a run that was paused for longer than its time limit goes on after a step without a call', async () => {
  const note = (index: number) => ({
    ...{ index, kind: 'inject_context' as const, title: 'Note', params: { text: 'x' } },
  });
  const made = await givenRun(by, {
    steps: [note(0), note(1)],
    change: { status: 'paused', started_at: 1, config: { timeout_seconds: 60 } },
  });
  const since = Date.now() - HOUR_MS;
  const { workspace_id, id: run_id } = await runs.commit(made, {
    change: { work_time: { since, before_ms: 1000 } },
  });
  await executeSlice({ workspace_id, run_id }, sliceSetting());
  expect(await runs.get(workspace_id, run_id)).toMatchObject({ status: 'succeeded', errors: [] });
});

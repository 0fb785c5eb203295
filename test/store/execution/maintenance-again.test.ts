// rules.md: maintenance 1. Maintenance that begins again while the runs of the last one are being woken.
import { inspect } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { executeSlice, type SliceSetting } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { startMaintenance } from '#domain/workspaces/maintenance.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import * as runs from '#store/runs/runs.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { actor, caller, givenRun } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

let by: Caller;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller(1000);
});

const setting: SliceSetting = {
  model: offlineModel(),
  prices: { offline: { input: 1, cached_input: 1, output: 1 } },
  max_parallel_calls: 1,
  model_wait_seconds: 0,
  slice_ms: 1000,
  steps_per_slice: undefined,
  sourcesFor: (run, meter) => sourcesOf(run, (texts) => meter.embed(texts)),
};

test('a run that was woken stays paused, though its task read the flag just before', async () => {
  const { workspace_id, id: run_id } = await givenRun(by, { change: { status: 'paused' } });
  const stop = aroundTable(async ({ name, input }, carryOut) => {
    const read = await carryOut();
    if (name === 'BatchGetCommand' && inspect(input, { depth: 9 }).includes(run_id)) {
      stop();
      await startMaintenance(workspace_id, undefined, actor);
    }
    return read;
  });
  onTestFinished(stop);
  expect(await executeSlice({ workspace_id, run_id }, setting)).toMatchObject({ reason: 'maintenance' });
  expect(await runs.get(workspace_id, run_id)).toMatchObject({ status: 'paused', last_sequence: 1 });
});

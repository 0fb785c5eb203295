// rules.md: maintenance 1. Maintenance that begins again while the runs of the last one are being woken.
import { inspect } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { startMaintenance } from '#domain/workspaces/maintenance.ts';
import * as runs from '#store/runs/runs.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { actor, caller, givenRun } from '../../support/runs.ts';
import { sliceSetting } from '../../support/slice-setting.ts';
import { useTable } from '../../support/table.ts';

let by: Caller;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller(1000);
});

const setting = sliceSetting();

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

// rules.md: capacity 3. A create or a resume whose write fails for good leaves no slot behind.
import { beforeEach, expect, test } from 'vitest';
import { builtInPrices } from '#contract/prices.ts';
import { insertRun } from '#domain/commands/insert-run.ts';
import { resumeRun } from '#domain/commands/resume-run.ts';
import { runError } from '#domain/runs/run-error.ts';
import { failed } from '#domain/runs/transitions.ts';
import { readCounters } from '#store/money/counters.ts';
import * as runs from '#store/runs/runs.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { draftOf } from '../../support/run-drafts.ts';
import { actor, caller, givenRun } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();
beforeEach(() => {
  replaceStateMachine();
});

/** The outcome of work while no transaction that writes a run is taken. */
async function withoutRunWrites(work: () => Promise<unknown>): Promise<unknown> {
  const restore = aroundTable(async ({ name, input }, carryOut) => {
    if (name === 'TransactWriteCommand' && JSON.stringify(input).includes('last_sequence'))
      throw new Error('a value that nothing can store');
    return carryOut();
  });
  try {
    return await work().catch(String);
  } finally {
    restore();
  }
}

test('a resume', async () => {
  const by = await caller();
  const run = await givenRun(by, { change: { status: 'running', started_at: 1 } });
  const { change, events } = failed(run, runError('internal_error'), Date.now(), { stepIndex: 0 });
  await runs.commit(run, { change, events });
  expect(await withoutRunWrites(() => resumeRun(by, run.id, {}, actor))).toMatch('nothing can store');
  expect((await readCounters(run.workspace_id)).slots).toEqual({});
  await resumeRun(by, run.id, {}, actor);
  expect(Object.keys((await readCounters(run.workspace_id)).slots)).toEqual([run.id]);
});

test('a create', async () => {
  const by = await caller();
  const pricing = { names: ['offline'], prices: builtInPrices };
  expect(await withoutRunWrites(() => insertRun(draftOf(by), pricing))).toMatch('nothing can store');
  expect((await readCounters(by.workspace.workspace_id)).slots).toEqual({});
});

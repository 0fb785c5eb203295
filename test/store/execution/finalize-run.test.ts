// Settlement: slots and credits are released once, and never those of a resume in the meantime.
import { beforeEach, expect, test } from 'vitest';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { resumeRun } from '#domain/commands/resume-run.ts';
import { finalizeRun } from '#domain/execution/finalize-run.ts';
import { runError } from '#domain/runs/run-error.ts';
import { failed } from '#domain/runs/transitions.ts';
import { updateWorkspace } from '#domain/workspaces/settings.ts';
import { readCounters } from '#store/money/counters.ts';
import type { EndedRun } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { actor, caller, endedRun, givenRun, logOf } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

let by: CallerWithCosts;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller(100);
});

const counters = () => readCounters(by.workspace.workspace_id);

/** Its last commit leaves its slot to the finalizer. */
async function failedRun(aheadMs = 0): Promise<EndedRun> {
  const run = await givenRun(by, { change: { status: 'running', started_at: 1 } });
  const { change, events } = failed(run, runError('internal_error'), Date.now() + aheadMs, { stepIndex: 0 });
  return endedRun(await runs.commit(run, { change, events }));
}

test('a settlement can be repeated: the reserved credits return once', async () => {
  const run = await failedRun();
  await finalizeRun(run);
  await finalizeRun(run);
  expect(await counters()).toMatchObject({ slots: {}, credits_free: 100 });
});

test.each([
  ['of one time', 0],
  ['of a process whose clock is ahead', 5000],
])(
  'a resume before an end %s was settled makes its own claim, which the late settlement keeps',
  async (_, aheadMs) => {
    const run = await failedRun(aheadMs);
    await resumeRun(by, run.id, {}, actor);
    await finalizeRun(run);
    const { slots, credits_free } = await counters();
    expect(Object.keys(slots)).toEqual([run.id]);
    expect(slots[run.id]?.held).toBe(20);
    expect(credits_free).toBe(80);
  },
);

test('credits that are set are the balance, though an ended run is not settled yet', async () => {
  const run = await failedRun();
  await updateWorkspace(by.workspace.workspace_id, { credits: 39 }, actor);
  await finalizeRun(run);
  expect(await counters()).toMatchObject({ slots: {}, credits_free: 39 });
});

test('of two concurrent resumes the loser takes no claim from the winner', async () => {
  const run = await failedRun();
  const both = await Promise.allSettled([resumeRun(by, run.id, {}, actor), resumeRun(by, run.id, {}, actor)]);
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const { slots, credits_free } = await counters();
  expect(Object.keys(slots)).toEqual([run.id]);
  expect(credits_free).toBe(80);
});

test('a commit whose reply was lost knows its own write and is not made again', async () => {
  const run = await givenRun(by);
  // The first try lands without an answer; the second finds what the first has done.
  const restore = aroundTable(async (_, carryOut) => {
    await carryOut();
    return carryOut();
  });
  const after = await runs.commit(run, {
    change: { message: 'said' },
    events: [{ event_type: 'run.paused', data: { status: 'paused', reason: 'maintenance' } }],
  });
  restore();
  expect(after.message).toBe('said');
  expect(await logOf(run, 0, 10)).toHaveLength(2);
});

// The calls of a step that makes many: no outcome that was paid for gets lost on the way to the journal.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { journaledCalls, SliceOver } from '#domain/execution/model-calls/journaled-calls.ts';
import { createUsageCounter } from '#domain/execution/model-calls/usage-counter.ts';
import { LeaseLost } from '#domain/execution/run-lease.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { newId } from '#platform/ids.ts';
import { type JournaledCall, readJournal, recordCall } from '#store/runs/journal.ts';
import { nothingSpent } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { aroundTable } from '../../support/around-table.ts';
import { caller, givenRun, runRecord } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();

const inputs = ['One', 'Two', 'Three', 'Four'].map((name) => ({
  instructions: 'Each',
  item: { id: newId(), type: 'thing', name, fields: {} },
  output_fields: ['summary'],
}));

/** A step of two concurrent calls; `commitUsage` receives the number of calls that the journal does not count. */
function givenStep(commitUsage: (uncounted: number) => void = () => undefined) {
  const run = runRecord();
  const journal = new Map<number, JournaledCall>();
  const counter = createUsageCounter({ offline: { input: 1, cached_input: 1, output: 1 } }, journal, run);
  return {
    ...{ model: offlineModel(), counter, journal, step_attempt: 1, max_parallel_calls: 2, prompt_bytes: {} },
    key: { workspace_id: run.workspace_id, run_id: run.id, position: 0 },
    run: {},
    deadline: Date.now() + 60_000,
    beforeCall: async () => undefined,
    onAnswering: async () => undefined,
    tried: () => undefined,
    onRetry: async () => undefined,
    commitUsage: async () => commitUsage(counter.direct.calls),
  };
}
const noted = async () => undefined;

/** Lets the write of one call's outcome fail, some turns after `before` has come. */
function failWriteOf(call: number, before: Promise<void>): void {
  const restore = aroundTable(async ({ input }, carryOut) => {
    if (Object(input).Item?.call !== call) return carryOut();
    await before.then(() => nextTurn());
    throw new Error('the table is away');
  });
  onTestFinished(restore);
}

test('a slice that is over ends with each finished call in the journal', async () => {
  const step = { ...givenStep(), deadline: 0 };
  await expect(journaledCalls(step, 'transform', inputs, noted)).rejects.toThrow(SliceOver);
  expect([...step.journal.keys()].sort()).toEqual([0, 1]);
});

test('an outcome that cannot be journaled fails the task, also where the slice was over for other calls', async () => {
  const other = Promise.withResolvers<void>();
  failWriteOf(1, other.promise);
  const late = { ...givenStep(), deadline: 0 };
  await expect(journaledCalls(late, 'transform', inputs, async () => other.resolve())).rejects.toThrow(
    'the table is away',
  );
});

test('the cost of a call that another invocation had made as well is committed at once', async () => {
  const committed: number[] = [];
  const step = givenStep((uncounted) => committed.push(uncounted));
  await recordCall(step.key, { call: 1, step_attempt: 1, spent: nothingSpent, output: { fields: {} } }, {});
  const outcomes = await journaledCalls(step, 'transform', inputs, noted);
  expect(outcomes[1]).toEqual({ ok: true, output: { fields: {} } });
  expect(committed).toEqual([1]);
});

test('an invocation that finds its calls made by its successor pays for no more', async () => {
  const step = givenStep(() => {
    throw new LeaseLost('run');
  });
  for (const call of [0, 1])
    await recordCall(step.key, { call, step_attempt: 1, spent: nothingSpent, output: { fields: {} } }, {});
  await expect(journaledCalls(step, 'transform', inputs, noted)).rejects.toThrow(LeaseLost);
  expect([...step.journal.keys()].sort()).toEqual([0, 1]);
});

/** A call that failed in the first attempt of the step, after two replies. */
const failedBefore = { call: 1, step_attempt: 1, spent: { ...nothingSpent, calls: 2 }, error: 'Not today.' };

test.each([
  ['that has read it adds its own reply to it', true, { journaled: 3, committed: [] }],
  // Its replies are not in the sum that the attempt would write.
  ['that has not read it keeps it, and commits its own reply', false, { journaled: 2, committed: [1] }],
])('a call of an earlier attempt loses nothing to an attempt %s', async (_, hasRead, expected) => {
  const committed: number[] = [];
  const step = { ...givenStep((uncounted) => committed.push(uncounted)), step_attempt: 2 };
  await recordCall(step.key, failedBefore, {});
  if (hasRead) for (const [call, entry] of await readJournal(step.key)) step.journal.set(call, entry);
  await journaledCalls(step, 'transform', inputs, noted);
  const journaled = (await readJournal(step.key)).get(1)?.spent.calls;
  expect({ journaled, committed }).toEqual(expected);
});

test('a call that waits for its step is not journaled for a run that another invocation may have taken', async () => {
  const owned = await givenRun(await caller(100), { change: { status: 'running', owner: 'us' } });
  const step = { workspace_id: owned.workspace_id, run_id: owned.id, position: 0 };
  await runs.commit(owned, { change: { owner: 'another' } });
  await expect(recordCall(step, failedBefore, owned, { owned })).rejects.toThrow(runs.StaleRun);
  expect(await readJournal(step)).toEqual(new Map());
});

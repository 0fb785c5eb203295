// What a run cannot keep: its step fails, its calls are paid. What it can keep fits, whatever its size.
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '#contract/limits.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { spentToday } from '#store/costs.ts';
import { runAttributes } from '#store/run-report.ts';
import * as runs from '#store/runs.ts';
import { table, WriteRefused } from '#store/table.ts';
import { replaceQueue, replaceStateMachine } from '../../support/fakes.ts';
import { caller, givenRun, runRecord } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();
beforeEach(() => {
  replaceStateMachine();
  replaceQueue();
});
afterEach(() => vi.restoreAllMocks());

/** Refuses every transaction that saves a checkpoint, as the table does with an item that is too large. */
function refuseCheckpoints(): void {
  const send = table.send.bind(table);
  vi.spyOn(table, 'send').mockImplementation(async (command: Parameters<typeof send>[0]) => {
    const writes = command instanceof TransactWriteCommand ? (command.input.TransactItems ?? []) : [];
    if (!writes.some(({ Put }) => String(Put?.Item?.sk).startsWith('STEP#'))) return send(command);
    const CancellationReasons = writes.map(() => ({ Code: 'ValidationError' }));
    throw new TransactionCanceledException({ message: 'too large', CancellationReasons, $metadata: {} });
  });
}

test('a result that the table refuses fails its step at once, and the calls behind it are paid', async () => {
  const by = await caller();
  const analyze = {
    kind: 'analyze' as const,
    title: 'Look',
    instructions: '[[tokens:1000000,0,0,0]]',
    params: {},
  };
  const run = await givenRun(by, {
    steps: [
      { ...analyze, index: 0 },
      { ...analyze, index: 1 },
    ],
  });
  const model = offlineModel();
  const called = vi.spyOn(model, 'call');
  const setting = {
    model,
    prices: { offline: { input: 1, cached_input: 1, output: 1 } },
    max_parallel_calls: 1,
    slice_ms: 1000,
    steps_per_slice: undefined,
    sourcesFor: () => sourcesOf(run, async () => []),
  };
  refuseCheckpoints();
  expect(await executeSlice({ workspace_id: run.workspace_id, run_id: run.id }, setting)).toBe('end');
  const ended = await runs.get(run.workspace_id, run.id);
  expect(ended).toMatchObject({
    status: 'failed',
    errors: [{ code: 'payload_too_large', details: { step_index: 0 } }],
    spent: { calls: 1, cost_pico_usd: '1000000000000' },
  });
  expect(called).toHaveBeenCalledTimes(1);
  expect(await spentToday(run.workspace_id, Date.now())).toBe(1_000_000_000_000n);
});

const wide = (characters: number) => '\u{1f600}'.repeat(characters);
const error = { code: 'internal_error', type: 'internal', message: wide(500), doc_url: 'x'.repeat(100) };

/** A run that has reached every limit but those of its report, which is packed. */
const largest = () =>
  runRecord({
    interpretation: wide(limits.query_max_characters),
    metadata: Object.fromEntries(
      Array.from({ length: limits.metadata_max_pairs }, (_, i) => [
        `${i % 10}${wide(limits.metadata_key_max_characters - 1)}${i}`,
        wide(limits.metadata_value_max_characters),
      ]),
    ),
    config: { callback_url: 'x'.repeat(2048) },
    steps: Array.from({ length: limits.plan_max_steps }, (_, index) => ({
      index,
      kind: 'analyze',
      status: 'failed',
      title: wide(limits.plan_title_max_characters),
      attempt: 1,
      error,
    })),
    report: { gz: Buffer.alloc(limits.inline_body_max_bytes) },
  });

test('a run that has reached every limit fits its record', () => {
  expect(() => runAttributes(largest())).not.toThrow();
});

test('a record beyond its limit is refused before the table is asked', async () => {
  const run = await givenRun(await caller());
  const change = { interpretation: 'x'.repeat(limits.run_record_max_bytes) };
  await expect(runs.commit(run, change)).rejects.toThrow(WriteRefused);
});

test('a long report is packed once, and read back whole', async () => {
  const run = await givenRun(await caller());
  const warnings = Array.from({ length: 100 }, (_, i) => ({
    code: 'source_not_found' as const,
    message: `Nothing of the name ${i} is here, however long one looks for it.`,
  }));
  const first = await runs.commit(run, { warnings, message: 'Done.' });
  const second = await runs.commit(first, { task_token: 't' });
  expect(second.report).toBe(first.report);
  const stored = await runs.get(run.workspace_id, run.id);
  expect(stored).toMatchObject({ warnings, message: 'Done.', task_token: 't' });
  const third = await runs.commit(second, { warnings: [] });
  expect(third.report).toBeUndefined();
  expect(await runs.get(run.workspace_id, run.id)).toMatchObject({ warnings: [], message: 'Done.' });
});

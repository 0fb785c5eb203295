// What a run cannot keep: its step fails, its calls are paid. What it can keep fits, whatever its size.
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '#contract/limits.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { spentToday } from '#store/money/costs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { runAttributes } from '#store/runs/run-report.ts';
import * as runs from '#store/runs/runs.ts';
import { table, WriteRefused } from '#store/table/table.ts';
import { replaceQueue, replaceStateMachine } from '../../support/fakes.ts';
import { keepObjects } from '../../support/objects.ts';
import { caller, givenRun, runRecord } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();
beforeEach(() => {
  replaceStateMachine();
  replaceQueue();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

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

const analyze = { kind: 'analyze' as const, title: 'Look', params: {} };
const settingFor = (run: RunRecord) => ({
  model: offlineModel(),
  prices: { offline: { input: 1, cached_input: 1, output: 4 } },
  max_parallel_calls: 1,
  model_wait_seconds: 0,
  slice_ms: 60_000,
  steps_per_slice: undefined,
  sourcesFor: () => sourcesOf(run, async () => []),
});
const keyOf = ({ workspace_id, id }: RunRecord) => ({ workspace_id, run_id: id });

test('a result that the table refuses fails its step at once, and its calls are paid', async () => {
  const step = { ...analyze, instructions: '[[tokens:1000000,0,0,0]]' };
  const run = await givenRun(await caller(), {
    steps: [
      { ...step, index: 0 },
      { ...step, index: 1 },
    ],
  });
  const setting = settingFor(run);
  const called = vi.spyOn(setting.model, 'call');
  refuseCheckpoints();
  expect(await executeSlice(keyOf(run), setting)).toBe('end');
  expect(await runs.get(run.workspace_id, run.id)).toMatchObject({
    status: 'failed',
    errors: [{ code: 'payload_too_large', details: { step_index: 0 } }],
    spent: { calls: 1, cost_pico_usd: '1000000000000' },
  });
  expect(called).toHaveBeenCalledTimes(1);
  expect(await spentToday(run.workspace_id, Date.now())).toBe(1_000_000_000_000n);
});

test('47 steps of 50 missing records each, then a model call: the run succeeds and the call is paid', async () => {
  keepObjects();
  const missing = Array.from({ length: 47 }, (_, index) => ({
    index,
    kind: 'inject_context' as const,
    title: 'Look up',
    params: {
      entities: Array.from({ length: 50 }, (__, i) => ({
        external_uri: `crm:${index}-${i}-${'x'.repeat(200)}`,
      })),
    },
  }));
  const last = { ...analyze, index: 47, instructions: 'look [[tokens:1000000,0,1000000,0]]' };
  const run = await givenRun(await caller(), { steps: [...missing, last] });
  expect(await executeSlice(keyOf(run), settingFor(run))).toBe('end');
  const ended = await runs.get(run.workspace_id, run.id);
  expect(ended).toMatchObject({
    status: 'succeeded',
    errors: [],
    spent: { calls: 1, cost_pico_usd: '5000000000000' },
  });
  expect(await spentToday(run.workspace_id, Date.now())).toBe(5_000_000_000_000n);
  expect(ended?.warnings).toHaveLength(47);
  const [first] = ended?.warnings ?? [];
  expect(first).toMatchObject({
    code: 'source_not_found',
    message: expect.stringContaining('50 of entities'),
  });
  const named = first?.details?.entities;
  expect(named).toHaveLength(20);
  expect(JSON.stringify(Object(named)[0]).length).toBeLessThan(230);
});

const wide = (characters: number) => '\u{1f600}'.repeat(characters);
const error = {
  code: 'internal_error',
  type: 'internal',
  message: wide(500),
  doc_url: 'x'.repeat(100),
} as const;

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
  await expect(runs.commit(run, { change })).rejects.toThrow(WriteRefused);
});

test('a long report is packed once, and read back whole', async () => {
  const run = await givenRun(await caller());
  const warnings = Array.from({ length: 100 }, (_, i) => ({
    code: 'source_not_found' as const,
    message: `Nothing of the name ${i} is here, however long one looks for it.`,
  }));
  const first = await runs.commit(run, { change: { warnings, message: 'Done.' } });
  const second = await runs.commit(first, { change: { position: 1 } });
  expect(second.report).toBe(first.report);
  const stored = await runs.get(run.workspace_id, run.id);
  expect(stored).toMatchObject({ warnings, message: 'Done.', position: 1 });
  const third = await runs.commit(second, { change: { warnings: [] } });
  expect(third.report).toBeUndefined();
  expect(await runs.get(run.workspace_id, run.id)).toMatchObject({ warnings: [], message: 'Done.' });
});

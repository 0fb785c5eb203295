// rules.md: usage 6. What the understanding of a query costs its day, in time and late.
import { beforeAll, expect, test, vi } from 'vitest';
import { ApiError } from '#contract/errors.ts';
import { understandQuery } from '#domain/planning/understand-query.ts';
import type { Attempt, Model } from '#models/model.ts';
import { newId } from '#platform/ids.ts';
import { spentToday } from '#store/money/costs.ts';
import { modelOf } from '../../support/model-of.ts';
import { useTable } from '../../support/table.ts';

vi.mock('#domain/planning/known-workspace.ts', () => ({ knownWorkspace: async () => ({}) }));
useTable();

const usage = { input_tokens: 1000, cached_input_tokens: 0, output_tokens: 0, thinking_tokens: 0 };
const prices = { test: { input: 1, cached_input: 1, output: 1 } };
/** 1,000 tokens at 1 USD per million. */
const COST = 1_000_000_000n;

let asked: Parameters<typeof understandQuery>[0];
beforeAll(() => {
  asked = {
    workspace_id: newId(),
    payer: { key_id: 'key' },
    has_sources: false,
    reads_texts: true,
    query: 'x',
    strict_mode: true,
    keep_calls: false,
  };
});

const modelThat = (call: (attempt: Attempt) => Promise<never>): Model =>
  modelOf((_task, _input, _context, attempt) => call(attempt), 'test');
const understood = (model: Model, dueAt: number) =>
  understandQuery(asked, { model, prices }, dueAt).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

test('an answer after the limit of the request counts on the day, once, after its caller was refused', async () => {
  const answered = Promise.withResolvers<void>();
  const model = modelThat(({ signal, onReply, late }) => {
    late?.onRequest(answered.promise.then(() => onReply(usage)));
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  });
  const error = await understood(model, Date.now() + 20);
  expect(error).toMatchObject({ code: 'upstream_timeout' });
  expect(await spentToday(asked.workspace_id, Date.now())).toBe(0n);
  answered.resolve();
  if (error instanceof ApiError) await error.unfinished;
  expect(await spentToday(asked.workspace_id, Date.now())).toBe(COST);
});

test('an answer in time counts once, though its request ends late', async () => {
  const before = await spentToday(asked.workspace_id, Date.now());
  const model = modelThat(async ({ onReply, late }) => {
    late?.onRequest(Promise.resolve());
    onReply(usage);
    return new Promise(() => undefined);
  });
  const error = await understood(model, Date.now() + 20);
  if (error instanceof ApiError) await error.unfinished;
  expect(await spentToday(asked.workspace_id, Date.now())).toBe(before + COST);
});

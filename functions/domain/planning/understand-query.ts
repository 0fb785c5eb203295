// Understands a query before its run exists: an unclear one is refused or taken at its best reading.
import { fail } from '#contract/errors.ts';
import type { Warning } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { spentOn, total, unpricedWarnings } from '#domain/billing/usage.ts';
import { REQUEST_WAIT_MS, requestError } from '#domain/records/records-behind.ts';
import type { ConfiguredModel } from '#models/configured-model.ts';
import { type Model, ModelError, type TokenUsage } from '#models/model.ts';
import { priceOf } from '#models/pricing.ts';
import type { OutputOf } from '#models/tasks/index.ts';
import { cut } from '#platform/cut.ts';
import { withinTime } from '#platform/deadline.ts';
import { jitter, pause } from '#platform/pause.ts';
import { addCost } from '#store/money/costs.ts';
import type { Spent } from '#store/runs/runs.ts';
import { outlineOf } from './workspace-outline.ts';

export interface Understanding {
  interpretation: string;
  warnings: Warning[];
  spent: Spent;
  duration_ms: number;
}

type Verdict = OutputOf<'understand'>;

/** A query, how it is to be read, and who pays for the reading. */
interface Asked {
  workspace_id: string;
  key_id: string;
  /** As in a caller. */
  sharded_until?: number | undefined;
  query: string;
  strict_mode: boolean;
}

/** Asks the model; every answer it gives, usable or not, adds to `usages`. */
async function ask(
  model: Model,
  { workspace_id, query, strict_mode }: Asked,
  usages: (TokenUsage | null)[],
  signal: AbortSignal,
): Promise<Verdict> {
  const outline = await outlineOf(workspace_id, query, REQUEST_WAIT_MS).catch((error: unknown) => {
    throw requestError(error);
  });
  const input = { query, strict_mode, ...outline };
  for (let tried = 1; ; tried += 1) {
    try {
      const reply = await model.call(
        'understand',
        input,
        { step_attempt: 1, calls_before: tried - 1 },
        signal,
      );
      usages.push(...reply.usages);
      return reply.output;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      usages.push(...error.usages);
      const delay = limits.model_retry_delays_ms[tried - 1];
      if (signal.aborted || !error.transient || delay === undefined) throw error;
      await pause(jitter(delay), signal);
    }
  }
}

/** A sentence of the model: kept in the record of the run, which must not grow by it. */
const bounded = (sentence: string) => cut(sentence, limits.query_max_characters);

/** Under strict mode an ambiguous query is refused; otherwise it goes on with a warning (rules.md: query 2, query 3). */
function judge(verdict: Verdict, strict: boolean): Warning[] {
  if (verdict.verdict === 'clear') return [];
  if (!strict) return [{ code: 'assumed_interpretation', message: bounded(verdict.interpretation) }];
  if (verdict.verdict === 'ambiguous')
    throw fail('query_ambiguous', { param: 'query', details: { reason: verdict.reason } });
  const { question, candidate_ids } = verdict;
  throw fail('entity_ambiguous', { param: 'query', details: { question: bounded(question), candidate_ids } });
}

/** The error of a query that was not understood within 45 s (rules.md: query 1). */
export function tooLate(): Error {
  const timeout_ms = limits.understanding_timeout_ms;
  return fail('upstream_timeout', { details: { dependency: 'model', timeout_ms } });
}

/** The reply of `ask`, if it arrives before `dueAt` (epoch ms). Throws upstream_timeout otherwise, even when `ask` ignores the signal. */
export async function inTime<T>(ask: (signal: AbortSignal) => Promise<T>, dueAt: number): Promise<T> {
  const left = Math.max(0, dueAt - Date.now());
  const signal = AbortSignal.timeout(left);
  const reply = ask(signal).catch((error: unknown) => {
    throw signal.aborted ? tooLate() : error;
  });
  return withinTime(reply, left, tooLate);
}

/**
 * Understands a query before `dueAt` (epoch ms). The call is counted on the run that follows; what it costs is spent at once, since a refused
 * request has paid for it too (rules.md: usage 6). Throws query_ambiguous, entity_ambiguous, upstream_timeout (of the model or the records),
 * model_unavailable.
 */
export async function understandQuery(
  asked: Asked,
  { model, prices }: ConfiguredModel,
  dueAt: number,
): Promise<Understanding> {
  const startedAt = Date.now();
  const usages: (TokenUsage | null)[] = [];
  const price = priceOf(prices, model.name);
  const sum = () => total(usages.map((usage) => spentOn(usage, price)));
  const verdict = await inTime((signal) => ask(model, asked, usages, signal), dueAt)
    .catch((error: unknown) => {
      throw error instanceof ModelError ? fail('model_unavailable', { message: error.message }) : error;
    })
    .finally(() => addCost(asked, BigInt(sum().cost_pico_usd), Date.now()));
  const warnings = judge(verdict, asked.strict_mode);
  const spent = sum();
  return {
    interpretation: bounded(verdict.interpretation),
    warnings: [...warnings, ...unpricedWarnings(spent.unpriced_calls)],
    spent,
    duration_ms: Date.now() - startedAt,
  };
}

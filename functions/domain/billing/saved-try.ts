// One try of a model call, whose requests a run with `config.keep_calls` keeps (rules.md: calls 1).
import type { PriceTable } from '#contract/models.ts';
import type { Attempt, Exchange } from '#models/model.ts';
import { picoToUsd, priceOf } from '#models/pricing.ts';
import { type TaskKind, taskNames } from '#models/tasks/task-registry.ts';
import { describe, log } from '#platform/log.ts';
import { throughTrouble } from '#platform/through-trouble.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { type CallToKeep, keepCalls } from '#store/runs/saved-calls.ts';
import { spentOn } from './usage.ts';

/** Where a call stands in its run. */
interface CallPosition {
  step_index: number;
  attempt: number;
  call: number;
  task: TaskKind;
}

/** Keeps the requests of one try. Never throws. */
export type Keep = (at: Pick<CallPosition, 'call' | 'task'>, exchanges: Exchange[]) => Promise<void>;

/** A keeper for the calls of a step; undefined if the run keeps none. */
export function keeperOf(
  run: RunRecord,
  step: Pick<CallPosition, 'step_index' | 'attempt'>,
  prices: PriceTable,
): Keep | undefined {
  if (!run.config.keep_calls) return undefined;
  const key = { workspace_id: run.workspace_id, run_id: run.id };
  return async (at, exchanges) => {
    const calls = exchanges.map((exchange) => callToKeep({ ...step, ...at }, exchange, prices));
    // A reply that is paid for is worth more than the copy of it: the step goes on without.
    await throughTrouble(() => keepCalls(key, run, calls)).catch((error: unknown) => {
      log.error('calls of a model are not kept', { run_id: run.id, error: describe(error) });
    });
  };
}

/** A request as the run keeps it. */
export function callToKeep(
  { task, ...position }: CallPosition,
  { at, ms, model, messages, answer, usage, outcome }: Exchange,
  prices: PriceTable,
): CallToKeep {
  const cost_usd = picoToUsd(BigInt(spentOn(usage, priceOf(prices, model), { model }).cost_pico_usd));
  const call = {
    ...position,
    task: taskNames[task],
    ...{ model, messages, answer },
    usage: usage && { ...usage, cost_usd },
    duration_ms: ms,
    outcome,
  };
  return { at, call };
}

/** The result of a try, whose requests are kept first. Throws what the try throws. */
export async function savedTry<T>(
  keep: ((exchanges: Exchange[]) => Promise<void>) | undefined,
  attempt: Attempt,
  call: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  if (!keep) return call(attempt);
  const exchanges: Exchange[] = [];
  try {
    return await call({ ...attempt, onExchange: (one) => void exchanges.push(one) });
  } finally {
    // Before the outcome is recorded: a crash in between repeats the call, and both are kept.
    await keep(exchanges);
  }
}

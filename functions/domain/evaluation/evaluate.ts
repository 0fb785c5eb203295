// Tries a model: asks every trial, counts what its calls take, and judges the answers.
import type { PriceTable } from '#contract/models.ts';
import { add, spentOn } from '#domain/billing/usage.ts';
import { type Attempt, type Exchange, type Model, ModelError } from '#models/model.ts';
import { priceOf } from '#models/pricing.ts';
import { withRetry } from '#models/retry.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/task-registry.ts';
import { nothingSpent, type Spent } from '#store/runs/run-record.ts';
import type { Ask, Tally, Trial } from './trial.ts';

/** How one trial ended. */
export interface Tried {
  trial: Trial;
  /** undefined: a call had no usable answer. */
  tally: Tally | undefined;
  /** Why there was none. */
  fault?: string;
  calls: number;
  /** Replies beyond one for each call: an answer was asked for again. */
  repairs: number;
  spent: Spent;
  ms: number;
}

interface Evaluation {
  model: Model;
  prices: PriceTable;
  /** Trials at once. */
  parallel: number;
  /** Ends what is under way; each endpoint has its own timeout of a call. */
  signal?: AbortSignal;
  /** Receives each request of a trial. */
  onExchange?: (trial: Trial, task: TaskKind, exchange: Exchange) => void;
}

/** Every trial, in their order. */
export async function evaluate(trials: readonly Trial[], options: Evaluation): Promise<Tried[]> {
  const results: Tried[] = [];
  const next = trials.entries();
  const worker = async () => {
    for (const [i, trial] of next) {
      results[i] = await tryOne(trial, options);
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, worker));
  return results;
}

async function tryOne(
  trial: Trial,
  { model, prices, signal = new AbortController().signal, onExchange }: Evaluation,
): Promise<Tried> {
  const begun = performance.now();
  let calls = 0;
  let spent = nothingSpent;
  const ask: Ask = async <K extends TaskKind>(task: K, input: InputOf<K>): Promise<OutputOf<K>> => {
    calls += 1;
    const [name = model.name] = model.namesFor(task);
    const price = priceOf(prices, name);
    return withRetry(
      (attempt) => {
        const counted: Attempt = {
          signal,
          onReply: (usage) => {
            spent = add(spent, spentOn(usage, price, { model: name }));
          },
          ...(onExchange && { onExchange: (exchange) => onExchange(trial, task, exchange) }),
        };
        return model.call(task, input, { step_attempt: 1, calls_before: attempt - 1 }, counted);
      },
      { signal },
    );
  };
  const ended = await trial.run(ask).then(
    (tally) => ({ tally }),
    (error: unknown) => {
      if (!(error instanceof ModelError)) throw error;
      return { tally: undefined, fault: error.message };
    },
  );
  const repairs = Math.max(0, spent.calls - calls);
  return { trial, ...ended, calls, repairs, spent, ms: performance.now() - begun };
}

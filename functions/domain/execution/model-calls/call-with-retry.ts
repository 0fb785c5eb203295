// One model call: retried after transient failures; every try is counted.
import { limits } from '#contract/limits.ts';
import { type Model, ModelError } from '#models/model.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/index.ts';
import { jitter, pause } from '#platform/pause.ts';
import type { Spent } from '#store/runs/runs.ts';
import type { UsageCounter } from './usage-counter.ts';

export interface Retry {
  attempt: number;
  delay_ms: number;
  error: string;
}

/** What the calls of one step share. */
export interface StepCalls {
  model: Model;
  counter: UsageCounter;
  step_attempt: number;
  onRetry?(retry: Retry): Promise<void>;
}

/**
 * The answer of one call; `count` gets the usage of each try, failed ones too. Throws the ModelError of the last try,
 * CostLimitReached.
 */
export async function callWithRetry<T extends TaskKind>(
  { model, counter, step_attempt, onRetry }: StepCalls,
  task: T,
  input: InputOf<T>,
  { itemIndex, count }: { itemIndex: number | undefined; count(spent: Spent): void },
): Promise<OutputOf<T>> {
  for (let attempt = 1; ; attempt += 1) {
    const calls_before = counter.startCall();
    const context = {
      step_attempt,
      calls_before,
      ...(itemIndex !== undefined && { item_index: itemIndex }),
    };
    try {
      const reply = await model.call(task, input, context, AbortSignal.timeout(limits.model_call_timeout_ms));
      count(counter.meter(reply.usages, model.name));
      return reply.output;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      count(counter.meter(error.usages, model.name));
      const delay = limits.model_retry_delays_ms[attempt - 1];
      if (!error.transient || delay === undefined) throw error;
      const delay_ms = jitter(delay);
      await onRetry?.({ attempt, delay_ms, error: error.message });
      await pause(delay_ms);
    }
  }
}

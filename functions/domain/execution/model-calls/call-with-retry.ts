// One model call of a step: retried while it fails transiently; every attempt is counted.
import { limits } from '#contract/limits.ts';
import type { Model } from '#models/model.ts';
import { type Retry, withRetry } from '#models/retry.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/index.ts';
import type { Spent } from '#store/runs/runs.ts';
import type { UsageCounter } from './usage-counter.ts';

/** What the calls of one step share. */
export interface StepCalls {
  model: Model;
  counter: UsageCounter;
  step_attempt: number;
  onRetry?(retry: Retry): Promise<void>;
}

/** The answer of one call; `count` gets the usage of each attempt. Throws the last ModelError, CostLimitReached. */
export function callWithRetry<T extends TaskKind>(
  { model, counter, step_attempt, onRetry }: StepCalls,
  task: T,
  input: InputOf<T>,
  { itemIndex, count }: { itemIndex: number | undefined; count(spent: Spent): void },
): Promise<OutputOf<T>> {
  const call = async () => {
    const calls_before = counter.startCall();
    const context = { step_attempt, calls_before, ...(itemIndex !== undefined && { item_index: itemIndex }) };
    return model.call(task, input, context, AbortSignal.timeout(limits.model_call_timeout_ms));
  };
  return withRetry(call, { onUsages: (usages) => count(counter.meter(usages, model.name)), onRetry });
}

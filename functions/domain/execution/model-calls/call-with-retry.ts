// One model call of a step: retried while it fails transiently; every reply is counted.
import { type Keep, savedTry } from '#domain/billing/saved-try.ts';
import { tracedTry } from '#domain/billing/traced-try.ts';
import type { Attempt, Exchange, Model, TokenUsage } from '#models/model.ts';
import { type Retry, withRetry } from '#models/retry.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/index.ts';
import type { ModelTry } from '#store/runs/model-tries.ts';
import type { Spent } from '#store/runs/run-record.ts';
import type { UsageCounter } from './usage-counter.ts';

/** What the calls of one step share. */
export interface StepCalls {
  model: Model;
  counter: UsageCounter;
  step_attempt: number;
  /** Throws LimitReached if the workspace or the key has spent its day. */
  checkDay(): Promise<void>;
  onRetry?: ((retry: Retry) => Promise<void>) | undefined;
  /** Absent: the run keeps no calls. */
  keep?: Keep | undefined;
}

interface Counting {
  itemIndex: number | undefined;
  count(spent: Spent): void;
  tried(one: ModelTry): void;
}

/**
 * The answer of one call; `count` gets the cost of each reply, `tried` each attempt. Throws the last ModelError,
 * LimitReached.
 */
export function callWithRetry<T extends TaskKind>(
  { model, counter, step_attempt, checkDay, onRetry, keep }: StepCalls,
  task: T,
  input: InputOf<T>,
  { itemIndex, count, tried }: Counting,
): Promise<OutputOf<T>> {
  const name = model.nameOf(task);
  const counted = { onReply: (usage: TokenUsage | null) => count(counter.meter(usage, name)) };
  const call = async () => {
    await checkDay();
    const calls_before = counter.startCall();
    const context = { step_attempt, calls_before, ...(itemIndex !== undefined && { item_index: itemIndex }) };
    const saved = keep && ((exchanges: Exchange[]) => keep({ task, call: itemIndex ?? 0 }, exchanges));
    const tryOnce = (attempt: Attempt) => model.call(task, input, context, attempt);
    return savedTry(saved, counted, (attempt) => tracedTry({ model: name, task }, attempt, tryOnce, tried));
  };
  return withRetry(call, { onRetry });
}

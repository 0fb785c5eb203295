// One model call of a step: tried while it fails transiently, at each endpoint that answers; every reply is counted.
import { isSimulated } from '#contract/models.ts';
import { type Keep, savedTry } from '#domain/billing/saved-try.ts';
import { tracedTry } from '#domain/billing/traced-try.ts';
import { askModel } from '#domain/models/ask-model.ts';
import { askInHalves } from '#models/halving.ts';
import type { Attempt, Exchange, Model, TokenUsage } from '#models/model.ts';
import { promptSize } from '#models/prompt-bytes.ts';
import type { Retry } from '#models/retry.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/task-registry.ts';
import type { ShortenedInput } from '#store/runs/journal.ts';
import type { ModelTry } from '#store/runs/model-tries.ts';
import type { Spent } from '#store/runs/run-record.ts';
import type { UsageCounter } from './usage-counter.ts';

/** A provider that counts fewer tokens than this has cut the prompt without a word. */
const CUT_BYTES_A_TOKEN = 10;

/** What the calls of one step share. */
export interface StepCalls {
  model: Model;
  counter: UsageCounter;
  step_attempt: number;
  /** Before each attempt. Throws LimitReached if the run may make no further call, LeaseLost, StaleRun. */
  beforeCall(): Promise<void>;
  /** Before an attempt at an endpoint that is not away, and once the one that tries it has had an answer. */
  onAnswering(): Promise<void>;
  onRetry?: ((retry: Retry) => Promise<void>) | undefined;
  /** Absent: the run keeps no calls. */
  keep?: Keep | undefined;
}

interface Counting {
  itemIndex: number | undefined;
  count(spent: Spent): void;
  tried(one: ModelTry): void;
  /** Receives what of the input did not reach the model as a whole. */
  onShortened(shortened: ShortenedInput): void;
}

/**
 * The answer of one call; `count` gets the cost of each reply, `tried` each attempt. Throws ModelError, ModelsAway,
 * LimitReached.
 */
export function callWithRetry<T extends TaskKind>(
  { model, counter, step_attempt, beforeCall, onAnswering, onRetry, keep }: StepCalls,
  task: T,
  input: InputOf<T>,
  { itemIndex, count, tried, onShortened }: Counting,
): Promise<OutputOf<T>> {
  const names = model.namesFor(task);
  const ask = async (part: InputOf<T>) => {
    const call = async (name: string, _: number, stillAnswers: () => Promise<void>) => {
      const size = isSimulated(name) ? 0 : promptSize(task, part);
      const onReply = (usage: TokenUsage | null) => {
        count(counter.meter(usage, name, name === names[0] ? undefined : names[0]));
        if (usage && usage.input_tokens * CUT_BYTES_A_TOKEN < size) onShortened({ by: 'provider' });
      };
      // Waiting for other calls may take longer than the run has.
      const begins = async () => {
        await stillAnswers();
        await beforeCall();
      };
      await beforeCall();
      const calls_before = counter.startCall();
      const context = {
        endpoint: name,
        step_attempt,
        calls_before,
        ...(itemIndex !== undefined && { item_index: itemIndex }),
      };
      const saved = keep && ((exchanges: Exchange[]) => keep({ task, call: itemIndex ?? 0 }, exchanges));
      const tryOnce = (attempt: Attempt) => model.call(task, part, context, attempt);
      return savedTry(saved, { onReply, begins }, (attempt) =>
        tracedTry({ model: name, task }, attempt, tryOnce, tried),
      );
    };
    return askModel(names, call, { onRetry, onAnswering, mayWait: true });
  };
  return askInHalves(task, input, ask, onShortened);
}

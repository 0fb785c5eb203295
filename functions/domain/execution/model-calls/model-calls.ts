// The model calls of one step in one invocation: retried, journaled if there are many, counted exactly.
import { limits } from '#contract/limits.ts';
import type { PriceTable } from '#contract/models.ts';
import type { Model } from '#models/model.ts';
import type { Retry } from '#models/retry.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/index.ts';
import type { JournaledCall } from '#store/runs/journal.ts';
import type { RunRecord } from '#store/runs/runs.ts';
import { callWithRetry } from './call-with-retry.ts';
import { type CallOutcome, journaledCalls, outcomeOf } from './journaled-calls.ts';
import { createUsageCounter, type UsageCounter } from './usage-counter.ts';

export interface ModelSetting {
  model: Model;
  prices: PriceTable;
  max_parallel_calls: number;
}

export interface ModelCallsOptions {
  run: RunRecord;
  setting: ModelSetting;
  position: number;
  step_attempt: number;
  journal: Map<number, JournaledCall>;
  /** Epoch ms after which no further call is started. */
  deadline: number;
  onRetry(retry: Retry): Promise<void>;
  /** Ensures that no other invocation makes the same call. Throws LeaseLost, StaleRun. */
  beforeCall(): Promise<void>;
  /** Commits what the calls have cost so far. Throws LeaseLost. */
  commitUsage(): Promise<void>;
}

export interface ModelCalls {
  readonly usage: Pick<UsageCounter, 'unpriced' | 'uncounted' | 'markCounted'>;
  /** How many calls the step requested; a transform is charged by them. */
  readonly asked: number;
  /** One call. Throws ModelError, CostLimitReached. */
  call<T extends TaskKind>(task: T, input: InputOf<T>): Promise<OutputOf<T>>;
  /** A call for each input, as `journaledCalls`. */
  callEach<T extends TaskKind>(
    task: T,
    inputs: InputOf<T>[],
    onDone: (done: number) => Promise<void>,
  ): Promise<CallOutcome<T>[]>;
  embed(texts: string[]): Promise<number[][]>;
}

export function createModelCalls(options: ModelCallsOptions): ModelCalls {
  const { run, setting, journal, position, step_attempt, onRetry, beforeCall, commitUsage, deadline } =
    options;
  const { model, prices, max_parallel_calls } = setting;
  const counter = createUsageCounter(prices, journal, run);
  const key = { workspace_id: run.workspace_id, run_id: run.id, position };
  const shared = { model, counter, step_attempt, onRetry, commitUsage };
  const step = { ...shared, key, run, journal, max_parallel_calls, deadline };
  let asked = 0;
  return {
    usage: counter,
    get asked() {
      return asked;
    },
    async call(task, input) {
      asked += 1;
      await beforeCall();
      return callWithRetry(step, task, input, { itemIndex: undefined, count: counter.countDirect });
    },
    async callEach(task, inputs, onDone) {
      asked += inputs.length;
      await beforeCall();
      const [only] = inputs;
      // A single call is committed with its step: a journal in between would protect nothing.
      if (only && inputs.length === 1 && journal.size === 0)
        return [
          await outcomeOf<typeof task>(() =>
            callWithRetry(step, task, only, { itemIndex: 0, count: counter.countDirect }),
          ),
        ];
      return journaledCalls(step, task, inputs, onDone);
    },
    async embed(texts) {
      // Offline embedding calls no provider.
      if (model.embeddingName !== null) {
        counter.checkLimit();
        await beforeCall();
      }
      const { vectors, usages } = await model.embed(texts, AbortSignal.timeout(limits.model_call_timeout_ms));
      counter.countDirect(counter.meter(usages, model.embeddingName));
      return vectors;
    },
  };
}

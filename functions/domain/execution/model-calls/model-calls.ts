// The model calls of one step in one invocation: retried, journaled if there are many, counted exactly.
import { limits } from '#contract/limits.ts';
import type { PriceTable } from '#contract/models.ts';
import { tracedTry } from '#domain/billing/traced-try.ts';
import { type Attempt, type Model, ModelError } from '#models/model.ts';
import type { Retry } from '#models/retry.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/index.ts';
import { type JournaledCall, readJournal, recordCall } from '#store/runs/journal.ts';
import type { ModelTry, TracedCalls } from '#store/runs/model-tries.ts';
import { nothingSpent, type RunRecord } from '#store/runs/runs.ts';
import type { RunLease } from '../run-lease.ts';
import { callWithRetry } from './call-with-retry.ts';
import { type CallOutcome, journalEntry, journaledCalls, outcomeOf } from './journaled-calls.ts';
import { checkDeadline, type DayCheck } from './spending-limits.ts';
import { createUsageCounter, type UsageCounter } from './usage-counter.ts';

export interface ModelSetting {
  model: Model;
  prices: PriceTable;
  max_parallel_calls: number;
}

export interface ModelCallsOptions {
  lease: RunLease;
  setting: ModelSetting;
  checkDay: DayCheck;
  position: number;
  step_attempt: number;
  journal: Map<number, JournaledCall>;
  /** Epoch ms after which no further call is started. */
  deadline: number;
  onRetry?: (retry: Retry) => Promise<void>;
  /** Commits what the calls have cost so far. Throws LeaseLost. */
  commitUsage(): Promise<void>;
}

export interface ModelCalls {
  readonly usage: Pick<UsageCounter, 'unpriced' | 'direct' | 'uncounted' | 'unsettled' | 'markCounted'>;
  /** How many calls the step requested; a transform is charged by them. */
  readonly asked: number;
  /** One call. Throws ModelError, LimitReached. */
  call<T extends TaskKind>(task: T, input: InputOf<T>): Promise<OutputOf<T>>;
  /** A call for each input, as `journaledCalls`. */
  callEach<T extends TaskKind>(
    task: T,
    inputs: InputOf<T>[],
    onDone: (done: number) => Promise<void>,
  ): Promise<CallOutcome<T>[]>;
  embed(texts: string[]): Promise<number[][]>;
  /** The calls outside the journal that no commit has reported. */
  readonly untraced: TracedCalls;
  /** Removes calls that a commit has reported. */
  markTraced(reported: TracedCalls): void;
  /** Position of the step, or PLANNING. */
  readonly position: number;
  /** Reads what an invocation that has lost the run may have journaled since. */
  refreshJournal(): Promise<void>;
  /**
   * Journals the call that waits for the commit of its step, so that the next try of the step does not repeat it.
   * `owned`: the run as last read. Throws StaleRun if it has changed since: its new owner may have read the journal.
   */
  journalWaiting(owned: RunRecord): Promise<void>;
}

/** The model calls of one step. A step makes either one `call` or one `callEach`. */
export function createModelCalls({
  lease,
  setting,
  position,
  journal,
  ...options
}: ModelCallsOptions): ModelCalls {
  const { run } = lease;
  const { model, prices, max_parallel_calls } = setting;
  const counter = createUsageCounter(prices, journal, run);
  const checkDay = () => {
    checkDeadline(lease.run);
    return options.checkDay(lease.run, counter.cost);
  };
  const key = { workspace_id: run.workspace_id, run_id: run.id, position };
  const step = { ...options, model, counter, checkDay, key, run, journal, max_parallel_calls };
  let asked = 0;
  let waiting: JournaledCall | undefined;
  const { step_attempt } = options;
  let tries: ModelTry[] = [];
  const tried = (one: ModelTry) => void tries.push(one);

  /** A single call is committed with its step: a journal in between would protect nothing. */
  async function singleCall<T extends TaskKind>(task: T, input: InputOf<T>): Promise<CallOutcome<T>> {
    const counting = { itemIndex: 0, count: counter.countDirect, tried };
    const outcome = await outcomeOf<T>(() => callWithRetry(step, task, input, counting));
    waiting = journalEntry(0, step_attempt, nothingSpent, [], outcome);
    return outcome;
  }

  const calls: ModelCalls = {
    usage: counter,
    get asked() {
      return asked;
    },
    async call(task, input) {
      const [outcome] = await calls.callEach(task, [input], async () => undefined);
      if (!outcome?.ok)
        throw new ModelError(outcome?.error ?? 'The model was not asked.', false, outcome?.unusable);
      return outcome.output;
    },
    async callEach<T extends TaskKind>(
      task: T,
      inputs: InputOf<T>[],
      onDone: (done: number) => Promise<void>,
    ): Promise<CallOutcome<T>[]> {
      asked += inputs.length;
      // No other invocation makes the same calls.
      await lease.acquire();
      const [only] = inputs;
      if (only && inputs.length === 1 && journal.size === 0) return [await singleCall(task, only)];
      return journaledCalls(step, task, inputs, onDone);
    },
    async embed(texts) {
      // Offline embedding calls no provider.
      if (model.embeddingName !== null) {
        counter.checkLimit();
        await Promise.all([checkDay(), lease.acquire()]);
      }
      const attempt: Attempt = {
        signal: AbortSignal.timeout(limits.model_call_timeout_ms),
        onReply: (usage) => counter.countDirect(counter.meter(usage, model.embeddingName)),
      };
      if (model.embeddingName === null) return model.embed(texts, attempt);
      return tracedTry(model.embeddingName, attempt, (one) => model.embed(texts, one), tried);
    },
    get untraced() {
      return { position, attempt: step_attempt, tries: [...tries] };
    },
    markTraced(reported) {
      tries = tries.filter((one) => !reported.tries.includes(one));
    },
    position,
    async refreshJournal() {
      // An entry of an earlier attempt may have been replaced since.
      for (const [index, call] of await readJournal(key)) journal.set(index, call);
    },
    async journalWaiting(owned) {
      if (!waiting) return;
      const call = { ...waiting, spent: counter.direct, tries };
      const recorded = await recordCall(key, call, run, { owned });
      if (recorded === call) counter.moveToJournal(call);
      waiting = undefined;
    },
  };
  return calls;
}

// The model calls of one step in one invocation: retried, journaled if there are many, counted exactly.
import type { PriceTable } from '#contract/models.ts';
import { keeperOf } from '#domain/billing/saved-try.ts';
import { tracedTry } from '#domain/billing/traced-try.ts';
import { askModel } from '#domain/models/ask-model.ts';
import { type Attempt, type Model, type TokenUsage, unusable } from '#models/model.ts';
import { promptBytes } from '#models/prompt-bytes.ts';
import type { Retry } from '#models/retry.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/task-registry.ts';
import { type JournaledCall, readJournal, recordCall, type ShortenedInput } from '#store/runs/journal.ts';
import type { ModelTry, TracedCalls } from '#store/runs/model-tries.ts';
import { nothingSpent, type RunRecord } from '#store/runs/run-record.ts';
import type { RunLease } from '../run-lease.ts';
import { callWithRetry } from './call-with-retry.ts';
import {
  type CallOutcome,
  type JournaledStep,
  journalEntry,
  journaledCalls,
  outcomeOf,
} from './journaled-calls.ts';
import { checkDeadline, type DayCheck } from './spending-limits.ts';
import { createUsageCounter, type UsageCounter } from './usage-counter.ts';

export interface ModelSetting {
  model: Model;
  prices: PriceTable;
  max_parallel_calls: number;
  /** How long a run waits for models, where its config does not say. */
  model_wait_seconds: number;
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

/** The model calls of one step: in the same order in each invocation, which is their order in the journal. */
export class ModelCalls {
  /** Position of the step, or PLANNING. */
  readonly position: number;
  readonly usage: UsageCounter;
  readonly #step: JournaledStep;
  #requested = 0;
  #waiting: JournaledCall | undefined;
  #tries: ModelTry[] = [];

  constructor({ lease, setting, checkDay, position, journal, ...options }: ModelCallsOptions) {
    const { run } = lease;
    const { model, prices, max_parallel_calls } = setting;
    const counter = createUsageCounter(prices, journal, run);
    this.position = position;
    this.usage = counter;
    // A query is planned before it has steps.
    const at = { step_index: run.steps[position]?.index ?? -1, attempt: options.step_attempt };
    this.#step = {
      ...options,
      keep: keeperOf(run, at, prices),
      ...{ model, counter, run, journal, max_parallel_calls },
      tried: this.tried,
      key: { workspace_id: run.workspace_id, run_id: run.id, position },
      prompt_bytes: Object.assign({}, ...[...journal.values()].map((call) => call.prompt_bytes)),
      async beforeCall() {
        checkDeadline(lease.run);
        // No other invocation makes the same call.
        await Promise.all([checkDay(lease.run, counter.cost), lease.acquire()]);
      },
      // A failure surfaces on the next commit: the answer must be in the journal by then.
      onAnswering: () => lease.modelIsBack().catch(() => undefined),
    };
  }

  /** How many calls the step requested; a transform is charged by them. */
  get requested(): number {
    return this.#requested;
  }

  /** The calls outside the journal that no commit has reported. */
  get untraced(): TracedCalls {
    return { position: this.position, attempt: this.#step.step_attempt, tries: [...this.#tries] };
  }

  /** Removes calls that a commit has reported. */
  markTraced(reported: TracedCalls): void {
    this.#tries = this.#tries.filter((one) => !reported.tries.includes(one));
  }

  /**
   * How many bytes the prompt of a call may have; Infinity: any number. It is the same in each invocation of a step,
   * also when the model has changed: inputs are divided by it, and the journal has answers by the position of an input.
   */
  async bytesFor(task: TaskKind): Promise<number> {
    const { prompt_bytes, journal, model } = this.#step;
    const known = prompt_bytes[task];
    if (known !== undefined) return known;
    // Calls that were made without dividing go on so.
    if (journal.size > 0 && Object.keys(prompt_bytes).length === 0) return Number.POSITIVE_INFINITY;
    const bytes = promptBytes(await model.limits(task));
    if (bytes < Number.POSITIVE_INFINITY) prompt_bytes[task] = bytes;
    return bytes;
  }

  /** What of the inputs of the answered calls did not reach the model as a whole. */
  get shortened(): ShortenedInput[] {
    const calls = [...this.#step.journal.values(), ...(this.#waiting ? [this.#waiting] : [])];
    return calls.flatMap((call) => call.shortened ?? []);
  }

  /** One call. Throws ModelError, ModelsAway, LimitReached. */
  async call<T extends TaskKind>(task: T, input: InputOf<T>): Promise<OutputOf<T>> {
    const [outcome] = await this.callEach(task, [input]);
    if (outcome?.ok) return outcome.output;
    throw outcome?.error ?? unusable('The model was not asked.');
  }

  /** A call for each input, as `journaledCalls`. */
  async callEach<T extends TaskKind>(
    task: T,
    inputs: InputOf<T>[],
    onDone: (done: number[]) => Promise<void> = async () => undefined,
  ): Promise<CallOutcome<T>[]> {
    if (inputs.length === 0) return [];
    const first = this.#requested;
    this.#requested += inputs.length;
    const [only] = inputs;
    if (only && first === 0 && inputs.length === 1 && this.#step.journal.size === 0)
      return [await this.#callOnce(task, only)];
    await this.#journalFirst();
    return journaledCalls(this.#step, task, inputs, onDone, first);
  }

  async embed(texts: string[]): Promise<number[][]> {
    const { model, counter, beforeCall, onAnswering, onRetry } = this.#step;
    const { embeddingName: name } = model;
    // Offline embedding calls no provider.
    if (name === null) return model.embed(texts, { onReply: () => undefined });
    const onReply = (usage: TokenUsage | null) => counter.countDirect(counter.meter(usage, name));
    // rules.md: vectors 3
    const called = { model: name, task: 'embed' } as const;
    const tryOnce = (one: Attempt) => model.embed(texts, one);
    const call = async (_: string, __: number, begins: () => Promise<void>) => {
      counter.checkLimit();
      await beforeCall();
      return tracedTry(called, { onReply, begins }, tryOnce, this.tried);
    };
    return askModel([called.model], call, { onRetry, onAnswering, mayWait: true });
  }

  /** Reads what an invocation that has lost the run may have journaled since. */
  async refreshJournal(): Promise<void> {
    // An entry of an earlier attempt may have been replaced since.
    for (const [index, call] of await readJournal(this.#step.key)) this.#step.journal.set(index, call);
  }

  /**
   * Journals the call that waits for the commit of its step, so that the next try of the step does not repeat it.
   * `owned`: the run as last read. Throws StaleRun if it has changed since: its new owner may have read the journal.
   */
  async journalWaiting(owned: RunRecord): Promise<void> {
    if (!this.#waiting) return;
    const call = { ...this.#waiting, spent: this.usage.direct, tries: this.#tries };
    const recorded = await recordCall(this.#step.key, call, this.#step.run, { owned });
    if (recorded === call) this.usage.moveToJournal(call);
    this.#waiting = undefined;
  }

  /** Another call follows the one that was to be committed with its step. */
  async #journalFirst(): Promise<void> {
    if (!this.#waiting) return;
    const call = { ...this.#waiting, spent: this.usage.direct, tries: this.#tries };
    this.#waiting = undefined;
    const recorded = await recordCall(this.#step.key, call, this.#step.run);
    // If another invocation has made it too, this one has lost the lease, and its commit says so.
    if (recorded !== call) return this.#step.commitUsage();
    this.usage.moveToJournal(call);
    this.#tries = [];
  }

  /** A single call is committed with its step: a journal in between would protect nothing. */
  async #callOnce<T extends TaskKind>(task: T, input: InputOf<T>): Promise<CallOutcome<T>> {
    const shortened: ShortenedInput[] = [];
    const onShortened = (one: ShortenedInput) => void shortened.push(one);
    const counting = { itemIndex: 0, count: this.usage.countDirect, tried: this.tried, onShortened };
    const outcome = await outcomeOf<T>(() => callWithRetry(this.#step, task, input, counting));
    this.#waiting = journalEntry(this.#step, 0, { spent: nothingSpent, tries: [], shortened }, outcome);
    return outcome;
  }

  /** Keeps a call for the trace of the run: the next commit with events reports it. */
  readonly tried = (one: ModelTry) => void this.#tries.push(one);
}

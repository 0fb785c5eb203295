// Model calls of one step: tried again when they fail in passing, counted exactly, journaled where a step makes many.
import type { Json } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { duesOf } from '#domain/billing/uncounted-usage.ts';
import { add, spentOn, subtract, total } from '#domain/billing/usage.ts';
import {
  type InputOf,
  type Model,
  ModelError,
  type OutputOf,
  type TaskKind,
  type TokenUsage,
} from '#models/model.ts';
import { type Price, type PriceTable, priceOf } from '#models/pricing.ts';
import { jitter, pause } from '#platform/pause.ts';
import { type JournaledCall, recordCall } from '#store/journal.ts';
import { nothingSpent, type RunRecord, type Spent } from '#store/runs.ts';
import type { Write } from '#store/table.ts';
import type { HeldRun } from './run-lease.ts';

/** The slice's time is up before the step is done; it goes on in the next slice from its journal. */
export class SliceOver extends Error {
  constructor() {
    super('the slice is over');
    this.name = 'SliceOver';
  }
}

export interface ModelSetting {
  model: Model;
  prices: PriceTable;
  max_parallel_calls: number;
}

export interface Retry {
  attempt: number;
  delay_ms: number;
  error: string;
}

export interface MeterOptions {
  held: HeldRun;
  setting: ModelSetting;
  position: number;
  step_attempt: number;
  journal: Map<number, JournaledCall>;
  /** Epoch ms after which no further call is begun. */
  deadline: number;
  onRetry(retry: Retry): Promise<void>;
}

type Outcome<T extends TaskKind> = { ok: true; output: OutputOf<T> } | { ok: false; error: string };

export interface Meter {
  /** How many calls the step asked for; a transform is charged by them. */
  readonly asked: number;
  /** How many successful calls of the step reported no usage or have no price. */
  readonly unpriced: number;
  call<T extends TaskKind>(task: T, input: InputOf<T>): Promise<OutputOf<T>>;
  callEach<T extends TaskKind>(
    task: T,
    inputs: InputOf<T>[],
    onDone: (done: number) => Promise<void>,
  ): Promise<Outcome<T>[]>;
  embed(texts: string[]): Promise<number[][]>;
  /** What to add to the run in the next commit, and the write that belongs to it. Pure, so that a commit may be decided twice. */
  dues(run: RunRecord): {
    change: Pick<RunRecord, 'spent' | 'journal_spent' | 'calls_tried'>;
    effects: Write[];
    direct: Spent;
  };
  /** Forgets the direct calls that a commit has brought in. */
  settle(direct: Spent): void;
}

/** A meter for one step in one invocation. */
export function createMeter(options: MeterOptions): Meter {
  const { held, setting, journal } = options;
  const place = { workspace_id: held.run.workspace_id, run_id: held.run.id, position: options.position };
  const price = priceOf(setting.prices, setting.model.name);
  let direct = nothingSpent;
  let callsMade = held.run.calls_tried ?? 0;
  let unpricedDirect = 0;
  let asked = 0;

  const spentFor = (usages: (TokenUsage | null)[], at: Price | undefined) =>
    total(usages.map((usage) => spentOn(usage, at)));

  function countDirect(spent: Spent): void {
    direct = add(direct, spent);
    unpricedDirect += spent.unpriced_calls;
  }

  const journalTotal = () => total([...journal.values()].map((call) => call.spent));

  async function attempt<T extends TaskKind>(
    task: T,
    input: InputOf<T>,
    itemIndex: number | undefined,
    count: (spent: Spent) => void,
  ): Promise<OutputOf<T>> {
    for (let tried = 1; ; tried += 1) {
      const context = {
        step_attempt: options.step_attempt,
        calls_before: callsMade,
        ...(itemIndex !== undefined && { item_index: itemIndex }),
      };
      callsMade += 1;
      try {
        const reply = await setting.model.call(
          task,
          input,
          context,
          AbortSignal.timeout(limits.model_call_timeout_ms),
        );
        count(spentFor(reply.usages, price));
        return reply.output;
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        count(spentFor(error.usages, price));
        const delay = limits.model_retry_delays_ms[tried - 1];
        if (!error.transient || delay === undefined) throw error;
        const delay_ms = jitter(delay);
        await options.onRetry({ attempt: tried, delay_ms, error: error.message });
        await pause(delay_ms);
      }
    }
  }

  async function journaled<T extends TaskKind>(
    task: T,
    input: InputOf<T>,
    index: number,
  ): Promise<Outcome<T>> {
    const before = journal.get(index)?.spent ?? nothingSpent;
    let spent = before;
    const note = async (outcome: Outcome<T>): Promise<Outcome<T>> => {
      const told = outcome.ok ? { output: outcome.output as Json } : { error: outcome.error };
      const call = { call: index, step_attempt: options.step_attempt, spent, ...told };
      const standing = await recordCall(place, call);
      journal.set(index, standing);
      if (standing === call) return outcome;
      // Another invocation made the same call; both were paid for.
      countDirect(subtract(spent, before));
      return outcomeOf<T>(standing, options.step_attempt) ?? outcome;
    };
    try {
      const output = await attempt(task, input, index, (more) => {
        spent = add(spent, more);
      });
      return await note({ ok: true, output });
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return note({ ok: false, error: error.message });
    }
  }

  async function unjournaled<T extends TaskKind>(task: T, input: InputOf<T>): Promise<Outcome<T>> {
    try {
      return { ok: true, output: await attempt(task, input, 0, countDirect) };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return { ok: false, error: error.message };
    }
  }

  return {
    get asked() {
      return asked;
    },
    get unpriced() {
      return unpricedDirect + journalTotal().unpriced_calls;
    },
    async call(task, input) {
      asked += 1;
      return attempt(task, input, undefined, countDirect);
    },
    async callEach(task, inputs, onDone) {
      asked += inputs.length;
      // One call is committed with its step at once; a journal in between would protect nothing.
      const [only] = inputs;
      if (only && inputs.length === 1 && journal.size === 0) return [await unjournaled(task, only)];
      const results = inputs.map((_, index) =>
        outcomeOf<typeof task>(journal.get(index), options.step_attempt),
      );
      const waiting = inputs.flatMap((input, index) => (results[index] ? [] : [{ input, index }]));
      let done = inputs.length - waiting.length;
      const queue = waiting.values();
      let broken = false;
      const work = async () => {
        let made = 0;
        for (const { input, index } of queue) {
          if (broken) return;
          // However late it is, a slice makes some headway: one that made none would be followed by its like for ever.
          if (made > 0 && Date.now() > options.deadline) throw new SliceOver();
          results[index] = await journaled(task, input, index);
          made += 1;
          done += 1;
          await onDone(done);
        }
      };
      const workOrBreak = () =>
        work().catch((error: unknown) => {
          broken = true;
          throw error;
        });
      const workers = Array.from(
        { length: Math.min(setting.max_parallel_calls, waiting.length) },
        workOrBreak,
      );
      const ended = await Promise.allSettled(workers);
      for (const worker of ended) if (worker.status === 'rejected') throw worker.reason;
      return results.flatMap((result) => result ?? []);
    },
    async embed(texts) {
      const { vectors, usages } = await setting.model.embed(
        texts,
        AbortSignal.timeout(limits.model_call_timeout_ms),
      );
      const name = setting.model.embeddingName;
      countDirect(spentFor(usages, name === null ? undefined : priceOf(setting.prices, name)));
      return vectors;
    },
    dues(run) {
      const { change, effects } = duesOf(run, journal.values(), direct);
      return { change: { ...change, calls_tried: callsMade }, effects, direct };
    },
    settle(committed) {
      direct = subtract(direct, committed);
    },
  };
}

/** A call that is not to be made again: it succeeded, or it failed for good in this very attempt of the step. */
function outcomeOf<T extends TaskKind>(
  known: JournaledCall | undefined,
  stepAttempt: number,
): Outcome<T> | undefined {
  if (known?.error !== undefined)
    return known.step_attempt === stepAttempt ? { ok: false, error: known.error } : undefined;
  // The journal holds what `attempt` returned for this very task.
  return known && { ok: true, output: known.output as OutputOf<T> };
}

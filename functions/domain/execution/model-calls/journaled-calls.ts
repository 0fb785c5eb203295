// The calls of a step with many: each outcome is journaled before the next call, so that a killed task never pays for
// it twice.
import type { Json } from '#contract/json.ts';
import type { StepKey } from '#contract/run-keys.ts';
import { add, subtract } from '#domain/billing/usage.ts';
import { ModelError, unusable } from '#models/model.ts';
import { ModelsAway } from '#models/models-away.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/task-registry.ts';
import { isServiceTrouble } from '#platform/service-trouble.ts';
import { type JournaledCall, recordCall, type ShortenedInput } from '#store/runs/journal.ts';
import type { ModelTry } from '#store/runs/model-tries.ts';
import { nothingSpent } from '#store/runs/run-record.ts';
import type { Expiring } from '#store/table/expiry.ts';
import { callWithRetry, type StepCalls } from './call-with-retry.ts';

/** The time of the slice is up before the step is done; the next slice continues from the journal. */
export class SliceOver extends Error {
  constructor() {
    super('the slice is over');
    this.name = 'SliceOver';
  }
}

export type CallOutcome<T extends TaskKind> =
  | { ok: true; output: OutputOf<T> }
  | { ok: false; error: ModelError };

export interface JournaledStep extends StepCalls {
  key: StepKey;
  run: Expiring;
  /** Outcomes by index of the call; every new one is added. */
  journal: Map<number, JournaledCall>;
  max_parallel_calls: number;
  /** Epoch ms after which no further call is started. */
  deadline: number;
  /** Commits what the calls have cost so far. Throws LeaseLost. */
  commitUsage(): Promise<void>;
  /** Keeps an attempt without an entry for the trace. */
  tried(one: ModelTry): void;
  /** By task; each entry of the journal has them all. */
  prompt_bytes: Record<string, number>;
}

/**
 * The outcomes of the calls, in order; journaled calls are not made again. `first`: the position of the first one.
 * `onDone` gets the calls with an outcome, counted from 0. Throws SliceOver at the deadline and ModelsAway, with every
 * finished call journaled; errors of the store take precedence.
 */
export async function journaledCalls<T extends TaskKind>(
  step: JournaledStep,
  task: T,
  inputs: InputOf<T>[],
  onDone: (done: number[]) => Promise<void>,
  first = 0,
): Promise<CallOutcome<T>[]> {
  const outcomes = inputs.map((_, i) => finalOutcome<T>(step.journal.get(first + i), step.step_attempt));
  const waiting = inputs.flatMap((input, index) => (outcomes[index] ? [] : [{ input, index }]));
  const done = inputs.flatMap((_, index) => (outcomes[index] ? [index] : []));
  const queue = waiting.values();
  let broken = false;

  async function work(): Promise<void> {
    let made = 0;
    for (const { input, index } of queue) {
      if (broken) return;
      // Even a late slice makes one call, because slices without progress would repeat for ever.
      if (made > 0 && Date.now() > step.deadline) throw new SliceOver();
      outcomes[index] = await journaledCall(step, task, input, first + index);
      made += 1;
      done.push(index);
      await onDone(done);
    }
  }

  const workers = Array.from(
    { length: Math.min(step.max_parallel_calls, step.model.parallel(task), waiting.length) },
    () =>
      work().catch((error: unknown) => {
        broken = true;
        throw error;
      }),
  );
  const failures = (await Promise.allSettled(workers)).flatMap((worker) =>
    worker.status === 'rejected' ? [worker.reason] : [],
  );
  if (failures.length > 0) throw gravest(failures);
  return outcomes.flatMap((outcome) => outcome ?? []);
}

/**
 * An outcome that could not be journaled fails the task, even if the slice is over for other calls, because it is not
 * counted. Of those that found the models away, one comes back first.
 */
function gravest(failures: unknown[]): unknown {
  const away = failures.filter((failure) => failure instanceof ModelsAway);
  const other = failures.find((failure) => !(failure instanceof SliceOver || failure instanceof ModelsAway));
  return other ?? away.toSorted((a, b) => a.until - b.until)[0] ?? failures[0];
}

async function journaledCall<T extends TaskKind>(
  step: JournaledStep,
  task: T,
  input: InputOf<T>,
  index: number,
): Promise<CallOutcome<T>> {
  const known = step.journal.get(index);
  const before = known?.spent ?? nothingSpent;
  let spent = before;
  const count = (more: typeof spent) => {
    spent = add(spent, more);
  };
  const tries: ModelTry[] = [];
  const tried = (one: ModelTry) => void tries.push(one);
  const shortened: ShortenedInput[] = [];
  const onShortened = (one: ShortenedInput) => void shortened.push(one);
  const entry = () => journalEntry(step, index, { spent, tries, shortened }, outcome);
  let outcome: CallOutcome<T>;
  let recorded: JournaledCall;
  let call: JournaledCall;
  try {
    const counting = { itemIndex: index, count, tried, onShortened };
    outcome = await outcomeOf<T>(() => callWithRetry(step, task, input, counting));
    call = entry();
    recorded = await recordCall(step.key, call, step.run, { known }).catch((error: unknown) => {
      if (call.error !== undefined || isServiceTrouble(error)) throw error;
      // One answer that nothing can save is no reason to lose the others.
      outcome = { ok: false, error: unusable('The answer of the model cannot be saved.') };
      call = entry();
      return recordCall(step.key, call, step.run, { known });
    });
    step.journal.set(index, recorded);
    if (recorded === call) return outcome;
  } catch (error) {
    // What came in before a limit was reached or the journal refused the call is paid for.
    step.counter.countDirect(subtract(spent, before));
    for (const one of tries) step.tried(one);
    throw error;
  }
  // Another invocation made the same call, and both cost money. This one is not in the journal, so it is committed at
  // once; if this invocation has lost the lease, that stops it before the next call.
  step.counter.countDirect(subtract(spent, before));
  await step.commitUsage();
  return finalOutcome<T>(recorded, step.step_attempt) ?? outcome;
}

/** The entry of a call in the journal. */
export function journalEntry<T extends TaskKind>(
  { step_attempt, prompt_bytes }: Pick<JournaledStep, 'step_attempt' | 'prompt_bytes'>,
  index: number,
  { spent, tries, shortened }: Required<Pick<JournaledCall, 'spent' | 'tries' | 'shortened'>>,
  outcome: CallOutcome<T>,
): JournaledCall {
  const at = {
    ...{ call: index, step_attempt, spent, tries },
    ...(Object.keys(prompt_bytes).length > 0 && { prompt_bytes: { ...prompt_bytes } }),
    ...(shortened.length > 0 && { shortened }),
  };
  if (outcome.ok) return { ...at, output: outcome.output as Json };
  const { message, fault } = outcome.error;
  return { ...at, error: message, fault };
}

/** The outcome of a call, including a ModelError. Throws every other error. */
export async function outcomeOf<T extends TaskKind>(
  call: () => Promise<OutputOf<T>>,
): Promise<CallOutcome<T>> {
  try {
    return { ok: true, output: await call() };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { ok: false, error };
  }
}

/** The outcome of a call that must not be repeated: it succeeded, or failed for good in this attempt of the step. */
function finalOutcome<T extends TaskKind>(
  known: JournaledCall | undefined,
  stepAttempt: number,
): CallOutcome<T> | undefined {
  if (known?.error !== undefined)
    return known.step_attempt === stepAttempt
      ? { ok: false, error: new ModelError(known.error, known.fault ?? { cause: 'unusable' }) }
      : undefined;
  // The journal has the model's answer to the same task.
  return known && { ok: true, output: known.output as OutputOf<T> };
}

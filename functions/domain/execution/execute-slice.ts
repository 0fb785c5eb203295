// One slice of a run: consecutive steps, each committed, until the run ends, pauses, or the time of the slice is up.
import type { ExecutionKey } from '#contract/keys.ts';
import { limits } from '#contract/limits.ts';
import { unpricedWarnings } from '#domain/billing/usage.ts';
import { appended } from '#domain/runs/appended.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { runError } from '#domain/runs/run-error.ts';
import { stepAt } from '#domain/runs/step-records.ts';
import { describe, log } from '#platform/log.ts';
import type { Sources } from '#sources/source.ts';
import { closingMessage, partNotes, withNotes } from '#steps/closing-message.ts';
import type { StepOutput } from '#steps/step.ts';
import type { SeenHead } from '#store/records/record-heads.ts';
import { changedRun, type RunRecord, retryIfStale, type Transition } from '#store/runs/runs.ts';
import { WriteRefused } from '#store/table/table.ts';
import { acquireLease, type LeasedRun } from './acquire-lease.ts';
import { afterFailure, afterStep } from './after-step.ts';
import { finalizeRun } from './finalize-run.ts';
import type { ModelCalls, ModelSetting } from './model-calls/model-calls.ts';
import { planRun } from './plan-run.ts';
import { LeaseLost } from './run-lease.ts';
import { runStep, type SliceContext, type StepOutcome } from './run-step.ts';
import { saveOutput } from './save-output.ts';

export interface SliceSetting extends ModelSetting {
  /** `recordsHead`: the head of the run's records, which a question soon after need not read again. */
  sourcesFor(run: RunRecord, calls: ModelCalls, recordsHead: SeenHead): Sources;
  /** How long a slice may start model calls. */
  slice_ms: number;
  steps_per_slice: number | undefined;
}

/** The next action of the state machine: another slice, waiting for the end of maintenance, or nothing more. */
export type NextAction = 'continue' | 'park' | 'end';

/** A first step that takes longer is shown as started; the start of a shorter one is committed with its end. */
const SHOWN_AFTER_MS = 50;

/**
 * Continues a run from its state in the store. Safe to repeat and to run concurrently: the newer invocation acquires
 * the lease, and the next commit of the older one fails. A replaced execution ends.
 */
export async function executeSlice(key: ExecutionKey, setting: SliceSetting): Promise<NextAction> {
  return retryIfStale(async () => {
    const leased = await acquireLease(key);
    if (typeof leased === 'string') return leased;
    const { lease } = leased;
    // A failed commit surfaces on the next one.
    const shown = setTimeout(() => void lease.acquire().catch(() => undefined), SHOWN_AFTER_MS);
    try {
      return await runSteps(leased, setting);
    } catch (error) {
      if (error instanceof LeaseLost) return 'end';
      // The task may be retried for a long time, and the run has started.
      await lease.acquire().catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(shown);
    }
  });
}

async function runSteps(
  { lease, input, plan: saved, records_head }: LeasedRun,
  setting: SliceSetting,
): Promise<NextAction> {
  const deadline = Date.now() + setting.slice_ms;
  const plan = saved ?? (await planRun(lease, input, setting));
  if (!plan) return lease.run.status === 'paused' ? 'park' : 'end';
  const slice: SliceContext = {
    lease,
    plan,
    setting,
    sourcesFor: (calls) => setting.sourcesFor(lease.run, calls, records_head),
    outputs: new Map(),
    deadline,
  };
  for (let done = 0; ; done += 1) {
    if (done > 0 && (Date.now() > deadline || done === setting.steps_per_slice)) return 'continue';
    const { position } = lease.run;
    const outcome = await runStep(slice, position);
    const action = await commitOutcome(slice, position, outcome);
    if (action) return action;
  }
}

type FinishedStep = Exclude<StepOutcome, { kind: 'unfinished' }>;

/** Commits the outcome of a step. Undefined: the next step has started. */
async function commitOutcome(
  slice: SliceContext,
  position: number,
  outcome: StepOutcome,
): Promise<NextAction | undefined> {
  const { lease } = slice;
  const { usage } = outcome.calls;
  if (outcome.kind === 'unfinished') {
    await lease.commit((run) => {
      const { change, cost } = usage.uncounted(run);
      return { change, cost };
    });
    return 'continue';
  }
  const run = await commitFinished(slice, position, outcome);
  if (run.status === 'paused') return 'park';
  if (!isTerminal(run)) return undefined;
  await finalizeRun(run);
  return 'end';
}

/**
 * Commits a finished or failed step and the cost of its calls. If the table refuses the result, the step fails, and its
 * calls still count.
 */
async function commitFinished(
  slice: SliceContext,
  position: number,
  outcome: FinishedStep,
): Promise<RunRecord> {
  try {
    return await commitTransition(slice, position, outcome);
  } catch (error) {
    if (!(error instanceof WriteRefused) || outcome.kind === 'failed') throw error;
    log.error('step result refused', { run_id: slice.lease.run.id, error: describe(error) });
    const step_index = slice.plan.steps[position]?.index ?? position;
    const message = 'The step brought more than a run can keep.';
    const failure = runError('payload_too_large', { message, details: { step_index } });
    const { calls } = outcome;
    return commitTransition(slice, position, {
      kind: 'failed',
      error: failure,
      warnings: [],
      errors: [],
      calls,
    });
  }
}

async function commitTransition(
  slice: SliceContext,
  position: number,
  outcome: FinishedStep,
): Promise<RunRecord> {
  const { usage } = outcome.calls;
  const transitionOf = await transitionAfter(slice, position, outcome);
  return slice.lease.commit((before) => {
    const counted = usage.uncounted(before);
    const unpriced = unpricedWarnings(usage.unpriced, slice.plan.steps[position]?.index);
    const warned = [...outcome.warnings, ...unpriced];
    const warnings = appended(before.warnings, warned, limits.run_warnings_max);
    const errors = appended(before.errors, outcome.errors, limits.run_errors_max);
    const change = { ...counted.change, warnings, errors };
    const transition = transitionOf(changedRun(before, change));
    return { ...transition, change: { ...change, ...transition.change }, cost: counted.cost };
  });
}

/** Saves the large parts of the output, and returns the pure transition for each try of the commit. */
async function transitionAfter(
  slice: SliceContext,
  position: number,
  outcome: FinishedStep,
): Promise<(run: RunRecord) => Transition> {
  const { lease, plan } = slice;
  if (outcome.kind === 'failed') return (run) => afterFailure(run, plan, position, outcome.error);
  const { step } = stepAt(lease.run.steps, plan, position);
  slice.outputs.set(position, outcome.output);
  const saved = await saveOutput(
    lease.run,
    position,
    step.index,
    withMessage(slice, position, outcome.output),
  );
  const calls = outcome.calls.asked;
  const itemsOut = outcome.output.items?.length;
  return (run) => afterStep(run, plan, { position, calls, itemsOut, saved });
}

/** A run in which no step wrote an answer still ends with a message (rules.md: steps 12). */
function withMessage({ lease, plan }: SliceContext, position: number, output: StepOutput): StepOutput {
  const last = position === plan.steps.length - 1;
  if (!last || output.message !== undefined || lease.run.message !== null) return output;
  const closing = withNotes(closingMessage(plan.title, output.items ?? []), partNotes(output));
  const message = output.text ?? closing;
  return { ...output, message };
}

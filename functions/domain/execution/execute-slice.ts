// One slice of a run: consecutive steps, each committed, until the run ends, pauses, or the time of the slice is up.

import { limits } from '#contract/limits.ts';
import type { ExecutionKey } from '#contract/run-keys.ts';
import type { Waiting } from '#contract/runs.ts';
import { withUnpriced } from '#domain/billing/usage.ts';
import { tellClosed } from '#domain/jobs/closed-jobs.ts';
import { appended } from '#domain/runs/appended.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { schemaOf } from '#domain/runs/run-output.ts';
import { stepAt } from '#domain/runs/step-records.ts';
import { followedBy, openJob } from '#domain/runs/transitions.ts';
import { awayError, waited, waitOf } from '#domain/runs/waits.ts';
import { describe, log } from '#platform/log.ts';
import type { Sources } from '#sources/source-port.ts';
import { closingMessage, partNotes, withNotes } from '#steps/closing-message.ts';
import type { StepOutput } from '#steps/step.ts';
import type { SeenHead } from '#store/records/record-heads.ts';
import { changedRun, type RunRecord } from '#store/runs/run-record.ts';
import { retryIfStale, type Transition } from '#store/runs/runs.ts';
import { acquireLease, type LeasedRun } from './acquire-lease.ts';
import { afterFailure, afterStep } from './after-step.ts';
import { type Comparison, compareRun } from './compare-run.ts';
import { finalizeRun } from './finalize-run.ts';
import type { ModelCalls, ModelSetting } from './model-calls/model-calls.ts';
import { planRun } from './plan-run.ts';
import { LeaseLost } from './run-lease.ts';
import type { LiveReading } from './run-sources.ts';
import { callsOf, commitWithUsage, runStep, type SliceContext, type StepOutcome } from './run-step.ts';
import { saveOutput } from './save-output.ts';
import { settleCalls } from './settle-calls.ts';
import { classify } from './step-errors.ts';
import { checkSize, savedOutput, stepOutputs } from './step-outputs.ts';

export interface SliceSetting extends ModelSetting {
  /** `seen`: the head of the run's records, which a question soon after need not read again. */
  sourcesFor(run: RunRecord, calls: ModelCalls, found: { seen: SeenHead; live: LiveReading }): Sources;
  /** How long a slice may start model calls. */
  slice_ms: number;
  steps_per_slice: number | undefined;
}

/** What is next: another slice, nothing more, or what the run waits for. */
export type NextAction = 'continue' | 'end' | Waiting;

/** A first step that takes longer is shown as started; the start of a shorter one is committed with its end. */
const SHOWN_AFTER_MS = 200;

/**
 * Continues a run from its state in the store. Safe to repeat and to run concurrently: the newer invocation acquires
 * the lease, and the next commit of the older one fails. A replaced execution ends.
 */
export async function executeSlice(key: ExecutionKey, setting: SliceSetting): Promise<NextAction> {
  return retryIfStale(async () => {
    const leased = await acquireLease(key, setting);
    if (leased === 'end' || !('lease' in leased)) return leased;
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
  { lease, input, plan: saved, records_head, source_names, first_attempt, checkDay }: LeasedRun,
  setting: SliceSetting,
): Promise<NextAction> {
  const deadline = Date.now() + setting.slice_ms;
  const plan = saved ?? (await planRun(lease, input, setting, { checkDay, source_names }));
  if (!plan) return waitOf(lease.run) ?? 'end';
  const slice: SliceContext = {
    lease,
    plan,
    output_schema: schemaOf(input),
    query: input.input_type === 'query' ? input.query : undefined,
    setting,
    checkDay,
    sourcesFor: (calls, step) =>
      setting.sourcesFor(lease.run, calls, {
        seen: records_head,
        live: { names: source_names, ...step },
      }),
    first_attempt,
    outputs: stepOutputs((position) => savedOutput(lease, position)),
    deadline,
  };
  for (let done = 0; ; done += 1) {
    if (done > 0 && (Date.now() > deadline || done === setting.steps_per_slice)) return 'continue';
    const { position } = lease.run;
    const action = await nextStep(slice, position, await callsOf(slice, position));
    if (action) return action;
  }
}

/** Runs a step and commits its outcome. Whatever fails, its calls are counted, and not repeated by the next try. */
async function nextStep(
  slice: SliceContext,
  position: number,
  calls: ModelCalls,
): Promise<NextAction | undefined> {
  try {
    const outcome = await runStep(slice, position, calls);
    return await commitOutcome(slice, position, calls, outcome);
  } catch (error) {
    await settleCalls(slice.lease, calls, (run) => run.position !== position);
    throw error;
  }
}

type EndedTry = Exclude<StepOutcome, { kind: 'unfinished' | 'waits' }>;

/** Commits the outcome of a step. Undefined: the next step has started. */
async function commitOutcome(
  slice: SliceContext,
  position: number,
  calls: ModelCalls,
  outcome: StepOutcome,
): Promise<NextAction | undefined> {
  if (outcome.kind === 'unfinished') {
    await commitWithUsage(slice.lease, calls, () => ({ change: {} }));
    return 'continue';
  }
  // The commit that made the job says what the run waits for.
  if (outcome.kind === 'waits') return waitOf(slice.lease.run) ?? 'continue';
  const open = openJob(slice.lease.run);
  const run = await commitFinished(slice, position, calls, outcome);
  // Since the step read its journal, an invocation that has lost the run may have added a call to it.
  if (outcome.kind !== 'done') await settleCalls(slice.lease, calls, (now) => now.position !== position);
  const waiting = waitOf(run);
  if (waiting) return waiting;
  if (!isTerminal(run)) return undefined;
  await Promise.all([finalizeRun(run, slice.first_attempt), tellClosed(open)]);
  return 'end';
}

/**
 * Commits a finished, failed or waiting step and the cost of its calls. If the result cannot be saved, the step fails,
 * and its calls still count.
 */
async function commitFinished(
  slice: SliceContext,
  position: number,
  calls: ModelCalls,
  outcome: EndedTry,
): Promise<RunRecord> {
  try {
    return await commitTransition(slice, position, calls, outcome);
  } catch (error) {
    if (outcome.kind !== 'done') throw error;
    const { step } = stepAt(slice.lease.run.steps, slice.plan, position);
    const end = classify(error, step);
    if (end.kind !== 'failed') throw error;
    log.error('step result refused', { run_id: slice.lease.run.id, error: describe(error) });
    return commitTransition(slice, position, calls, { ...end, warnings: [], errors: [] });
  }
}

async function commitTransition(
  slice: SliceContext,
  position: number,
  calls: ModelCalls,
  outcome: EndedTry,
): Promise<RunRecord> {
  const { lease, setting } = slice;
  if (outcome.kind === 'away') lease.modelIsAway();
  // A finished step has met every call in its journal; one that failed leaves some out, all of them past a deadline.
  if (outcome.kind !== 'done') await calls.refreshJournal();
  const transitionOf = await transitionAfter(slice, position, calls, outcome);
  return commitWithUsage(lease, calls, (counted) => {
    // When the step goes on, it reports again what it has found so far.
    const wait =
      outcome.kind === 'away' && waited(counted, outcome.error, setting.model_wait_seconds, Date.now());
    if (wait) return wait;
    const added = appended(counted.warnings, outcome.warnings, limits.run_warnings_max);
    const isUnpriced = calls.usage.unpriced > 0;
    const index = slice.plan.steps[position]?.index;
    const warnings = isUnpriced ? withUnpriced(added, counted.spent.unpriced_calls, index) : added;
    const change = { warnings, errors: appended(counted.errors, outcome.errors, limits.run_errors_max) };
    return followedBy({ change }, transitionOf(changedRun(counted, change)));
  });
}

/** Saves the large parts of the output, and returns the pure transition for each try of the commit. */
async function transitionAfter(
  slice: SliceContext,
  position: number,
  { requested }: ModelCalls,
  outcome: EndedTry,
): Promise<(run: RunRecord) => Transition> {
  const { lease, plan } = slice;
  const { step } = stepAt(lease.run.steps, plan, position);
  if (outcome.kind === 'failed') return (run) => afterFailure(run, plan, position, outcome.error);
  if (outcome.kind === 'away')
    return (run) => afterFailure(run, plan, position, awayError(run, outcome.error, step.index));
  const said = withMessage(slice, position, outcome.output);
  const isLast = position === plan.steps.length - 1;
  const comparison = isLast ? await compareRun(lease.run, said.artifacts ?? []) : undefined;
  const output = withChanges(said, comparison);
  await checkSize(output);
  await slice.outputs.add(position, outcome.output);
  const saved = await saveOutput(lease.run, position, step.index, output);
  const itemsOut = outcome.output.items?.length;
  return (run) => afterStep(run, plan, { position, calls: requested, itemsOut, saved, comparison });
}

/** The run's further artifact, after its own. */
function withChanges(output: StepOutput, comparison: Comparison | undefined): StepOutput {
  if (!comparison) return output;
  return { ...output, artifacts: [...(output.artifacts ?? []), comparison.table] };
}

/** A run in which no step wrote an answer still ends with a message (rules.md: steps 12). */
function withMessage({ lease, plan }: SliceContext, position: number, output: StepOutput): StepOutput {
  const last = position === plan.steps.length - 1;
  if (!last || output.message !== undefined || lease.run.message !== null) return output;
  const closing = withNotes(closingMessage(plan.title, output.items ?? []), partNotes(output));
  const message = output.text ?? closing;
  return { ...output, message };
}

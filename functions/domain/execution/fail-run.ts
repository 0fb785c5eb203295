// Failing a run from outside its slices: its task keeps failing, or its deadline has passed.
import type { RunError } from '#contract/events.ts';
import type { ExecutionKey } from '#contract/run-keys.ts';
import { uncountedUsage } from '#domain/billing/uncounted-usage.ts';
import { tellClosed } from '#domain/jobs/closed-jobs.ts';
import type { Overdue } from '#domain/runs/deadlines.ts';
import { isReplaced, isTerminal } from '#domain/runs/lifecycle.ts';
import { runError } from '#domain/runs/run-error.ts';
import { failedStep } from '#domain/runs/step-records.ts';
import { followTrace } from '#domain/runs/trace.ts';
import { canceled, failed, followedBy, openJob } from '#domain/runs/transitions.ts';
import { log } from '#platform/log.ts';
import { PLANNING, readJournal } from '#store/runs/journal.ts';
import { changedRun, nothingSpent, type RunRecord } from '#store/runs/run-record.ts';
import type { Transition } from '#store/runs/runs.ts';
import * as runs from '#store/runs/runs.ts';
import { finalizeRun } from './finalize-run.ts';

/**
 * Ends a run whose execution has failed for good. Finalizes an ended run again, because finalizing may be what failed.
 * Skips runs owned by a newer execution.
 */
export async function failRun(key: ExecutionKey, reason: string): Promise<void> {
  const ended = await runs.retryIfStale(async () => {
    const run = await runs.get(key.workspace_id, key.run_id);
    if (run) followTrace(run);
    log.error('run given up', { run_id: key.run_id, reason });
    return run && !isReplaced(run, key) ? endNow(run, internalError) : undefined;
  });
  if (ended && isTerminal(ended)) await finalizeRun(ended);
}

/** Ends a run that has reached a deadline, with the calls that its tasks journaled. Throws StaleRun. */
export async function failOverdue(run: RunRecord, { errorAt }: Overdue): Promise<void> {
  const ended = await endNow(run, errorAt);
  if (isTerminal(ended)) await finalizeRun(ended);
}

type ErrorAt = (stepIndex?: number) => RunError;

const internalError: ErrorAt = (step_index) =>
  runError('internal_error', step_index === undefined ? {} : { details: { step_index } });

/** The run, ended and with its last event. Throws StaleRun. */
async function endNow(run: RunRecord, errorAt: ErrorAt): Promise<RunRecord> {
  const usage = await journaledUsage(run);
  const transition = lastTransition(changedRun(run, usage.change), errorAt);
  // Until the run has ended, a live task may add to the journal and leave the counting to others.
  if (transition) {
    const ended = await runs.commit(run, followedBy(usage, transition));
    await tellClosed(openJob(run));
    return endNow(ended, errorAt);
  }
  return usage.change.spent && usage.change.spent.calls > run.spent.calls ? runs.commit(run, usage) : run;
}

/** Failed, or canceled if a client had canceled the run; undefined if its log is finished. */
function lastTransition(run: RunRecord, errorAt: ErrorAt): Transition | undefined {
  const now = Date.now();
  const step = run.steps[run.position];
  const running = step?.status === 'running' ? step : undefined;
  if (isTerminal(run)) return run.log_finished ? undefined : canceled(run, running?.index ?? null, [], now);
  const error = errorAt(running?.index);
  if (!running) return failed(run, error, now);
  const failure = failedStep(running, error, now);
  const steps = run.steps.with(run.position, failure.record);
  const transition = failed({ ...run, steps }, error, now, {
    stepIndex: running.index,
    stepEvents: [failure.event],
  });
  return { ...transition, change: { steps, ...transition.change } };
}

/** The uncounted calls of planning or of the step at work: they cost money, whatever happens to the run. */
async function journaledUsage(run: RunRecord): Promise<Transition> {
  const step = run.steps[run.position];
  if (step ? step.status === 'pending' : run.steps.length > 0) return { change: {} };
  const { workspace_id, id: run_id } = run;
  const position = step ? run.position : PLANNING;
  const journal = await readJournal({ workspace_id, run_id, position });
  return uncountedUsage(run, journal.values(), { spent: nothingSpent, owner: undefined });
}

// What the state of a run permits.
import type { ExecutionKey } from '#contract/run-keys.ts';
import { terminalStatuses } from '#contract/runs.ts';
import type { EndedRun, RunRecord } from '#store/runs/run-record.ts';
import { isWorkable } from '#store/table/expiry.ts';

/** Whether the run has ended; the last step of a canceled run may still be running. */
export function isTerminal(run: RunRecord): run is EndedRun {
  return terminalStatuses.includes(run.status);
}

/** Whether the plan of the run is saved, and the run lives long enough for more work. */
export function hasLastingPlan(run: RunRecord): boolean {
  return run.plan_fingerprint !== undefined && isWorkable(run, Date.now());
}

/** Whether the run can be resumed: it failed, and its plan is saved (rules.md: envelope 3). */
export function isResumable(run: RunRecord): boolean {
  return run.status === 'failed' && hasLastingPlan(run);
}

/**
 * Whether the calling execution was replaced: the run was resumed while tasks of it were still retried. It must leave
 * the run alone, or it takes the lease from its successor in the middle of paid calls, or fails the resumed run
 * (rules.md: resume 7).
 */
export function isReplaced(run: RunRecord, { execution = run.execution }: ExecutionKey): boolean {
  return execution !== run.execution;
}

/** The run that owns the checkpoint of a position: this run, or the source of a rerun. */
export function checkpointRun(run: RunRecord, position: number): string {
  return run.inherited[position] ?? run.id;
}

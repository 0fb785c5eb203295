// What a run's state allows.
import { terminalStatuses } from '#contract/runs.ts';
import type { RunRecord } from '#store/runs.ts';

/** Whether the run has ended (a canceled one may still have its last step in hand). */
export function isTerminal(run: Pick<RunRecord, 'status'>): boolean {
  return terminalStatuses.includes(run.status);
}

/** Whether the run can be resumed: it failed, and its plan was saved (Contract 4.4). */
export function isResumable(run: RunRecord): boolean {
  return run.status === 'failed' && run.plan_fingerprint !== undefined;
}

/** Where the output of a position lies: in this run, or in the run that a rerun took it from. */
export function checkpointRun(run: RunRecord, position: number): string {
  return run.inherited[position] ?? run.id;
}

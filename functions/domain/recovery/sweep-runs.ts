// Stranded runs: those whose execution never started or is gone, and those not woken after maintenance. Ended runs:
// a sample's logs are checked, and what is no longer retained is deleted.
import type { RunKey } from '#contract/run-keys.ts';
import { forgetRun } from '#domain/erasure/delete-run.ts';
import { failOverdue } from '#domain/execution/fail-run.ts';
import { overdue } from '#domain/runs/deadlines.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { inMaintenance } from '#domain/workspaces/maintenance.ts';
import { startExecution, wake } from '#orchestration/executions.ts';
import { eraseRun } from '#store/runs/deletion.ts';
import { CHECK_AGAIN_MS, deadline, earlierDeadline, SILENCE_MS } from '#store/runs/next-sweep.ts';
import { endOfRetention } from '#store/runs/run-expiry.ts';
import type { EndedRun, RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { waitsForJob } from '#store/runs/work-time.ts';
import { type DueItem, postpone, removeDue } from '#store/table/due.ts';
import { due, keys, runOfPartition } from '#store/table/table-keys.ts';
import { hasLegalLog } from './check-log.ts';
import { type Repairs, repairDue, type SweepTime } from './repair-due.ts';

/** Checks every run that is due. Safe to repeat and to run concurrently with everything else. */
export function sweepRuns(time: SweepTime): Promise<Repairs> {
  const isMaintained = askedOnce(inMaintenance);
  return repairDue(due.runs, time, (item) =>
    runs.retryIfStale(() => repairRun(item, time.now, isMaintained)),
  );
}

async function repairRun(
  item: DueItem,
  now: number,
  isMaintained: (workspaceId: string) => Promise<boolean>,
): Promise<Partial<Repairs>> {
  const key = runOfPartition(item.pk);
  if (item.sk === keys.deletion(key.workspace_id, key.run_id).sk) return erase(key, item, now);
  const run = await runs.getEvenIfExpired(key.workspace_id, key.run_id);
  // The index lags behind the table.
  if (run?.due_at !== item.due_at) return {};
  if (isTerminal(run) && run.log_finished) return visitEnded(run, item, now);
  const late = overdue(run, now);
  if (late && (deadline(run) ?? 0) <= now) {
    await failOverdue(run, late);
    return { runs_timed_out: 1 };
  }
  if (run.status === 'pending') {
    const waited = now - run.last_event_at;
    return restart(run, item, now, Math.min(Math.max(waited, CHECK_AGAIN_MS), SILENCE_MS));
  }
  if (run.status === 'paused') return wakeOrRestart(run, item, now, await isMaintained(run.workspace_id));
  if (waitsForJob(run) || run.task_token !== undefined) return wakeOrRestart(run, item, now, false);
  if (now >= run.last_event_at + SILENCE_MS) return restart(run, item, now, SILENCE_MS);
  await postpone(item, earlierDeadline(run, run.last_event_at + SILENCE_MS));
  return {};
}

/** An ended run is due when its log is to be checked, and when its retention is over. */
async function visitEnded(run: EndedRun, item: DueItem, now: number): Promise<Partial<Repairs>> {
  const end = endOfRetention(run);
  if (end !== undefined && end <= now) {
    await forgetRun(run);
    return { runs_forgotten: 1 };
  }
  const legal = await hasLegalLog(run);
  // A sweep that dies before this leaves the run due, and the next one checks it again.
  await (end === undefined ? removeDue(item) : postpone(item, end));
  return { logs_checked: 1, logs_illegal: legal ? 0 : 1 };
}

/** Erases what a deleted run has stored; once more when no late task can write any more. */
async function erase(key: RunKey, item: DueItem, now: number): Promise<Partial<Repairs>> {
  const again = await eraseRun(key, now);
  if (again !== undefined) await postpone(item, again);
  return again === undefined ? { runs_erased: 1 } : {};
}

async function wakeOrRestart(
  run: RunRecord,
  item: DueItem,
  now: number,
  waits: boolean,
): Promise<Partial<Repairs>> {
  const key = { workspace_id: run.workspace_id, run_id: run.id };
  const woken = !waits && run.task_token !== undefined && (await wake(run.task_token, key));
  if (!waits && !woken) return restart(run, item, now, CHECK_AGAIN_MS);
  await postpone(item, now + CHECK_AGAIN_MS);
  return woken ? { runs_woken: 1 } : {};
}

/**
 * Ensures that the run has an execution, under a new name if the last one is over. The run is then left alone for
 * `patienceMs`.
 */
async function restart(
  run: RunRecord,
  item: DueItem,
  now: number,
  patienceMs: number,
): Promise<Partial<Repairs>> {
  const key = { workspace_id: run.workspace_id, run_id: run.id };
  const state = await startExecution(key, run.execution);
  if (state !== 'over') {
    await postpone(item, earlierDeadline(run, now + patienceMs));
    return state === 'started' ? { executions_started: 1 } : {};
  }
  const execution = nextName(run.execution);
  // After a crash before the start, the next check starts it under this name.
  await runs.commit(run, { change: { execution, due_at: earlierDeadline(run, now + CHECK_AGAIN_MS) } });
  await startExecution(key, execution);
  return { executions_started: 1 };
}

function nextName(execution: string): string {
  const [base = '', n = '0'] = execution.split('-s');
  return `${base}-s${Number(n) + 1}`;
}

/** Asks once per workspace. */
function askedOnce<T>(ask: (workspaceId: string) => Promise<T>): (workspaceId: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (workspaceId) => {
    const answer = answers.get(workspaceId) ?? ask(workspaceId);
    answers.set(workspaceId, answer);
    return answer;
  };
}

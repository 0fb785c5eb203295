// Canceling a run: at once if no step is running, otherwise when the running step has ended (rules.md: cancel).
import { releaseReservation } from '#domain/billing/reservations.ts';
import { tellClosed } from '#domain/jobs/closed-jobs.ts';
import { findRunView } from '#domain/runs/find-run.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { pushMonitor } from '#domain/runs/push-monitor.ts';
import { runError } from '#domain/runs/run-error.ts';
import { canceled, followedBy, openJob } from '#domain/runs/transitions.ts';
import { wake } from '#orchestration/executions.ts';
import { describe, log } from '#platform/log.ts';
import { logTime } from '#store/runs/events.ts';
import type { EndedRun, RunRecord } from '#store/runs/run-record.ts';
import type { RunView } from '#store/runs/run-views.ts';
import * as runs from '#store/runs/runs.ts';
import { waitsForJob } from '#store/runs/work-time.ts';
import type { Write } from '#store/table/table.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';

/**
 * Ends the run now; a running step still finishes and is billed, and `run.canceled` follows it. Safe to repeat. Without
 * an actor, as in a purge, the audit has no entry. Throws run_not_found.
 */
export async function cancelRun(
  workspaceId: string,
  runId: string | undefined,
  by: Actor | undefined,
): Promise<RunView> {
  return runs.retryIfStale(async () => {
    const { run, input } = await findRunView(workspaceId, runId);
    if (isTerminal(run)) return { run, input };
    const effects = by ? [auditWrite(workspaceId, by, 'run.cancel', run.id)] : [];
    return { run: await cancelNow(run, effects), input };
  });
}

async function cancelNow(run: RunRecord, effects: Write[]): Promise<RunRecord> {
  const now = Date.now();
  if (run.status === 'running' && !waitsForJob(run)) {
    // The owner of the run's lease adds the index of its step and the last event, and finalizes the run.
    return runs.commit(run, {
      change: {
        status: 'canceled',
        completed_at: logTime(run, now),
        errors: [...run.errors, runError('canceled_by_user')],
      },
      effects,
    });
  }
  // A run may wait in the middle of a step.
  const step = run.steps[run.position];
  const interrupted = step?.status === 'running' ? step.index : null;
  const ended = await runs.commit(
    run,
    followedBy(canceled(run, interrupted, [], now), { change: {}, effects }),
  );
  if (isTerminal(ended)) await releaseCanceled(run, ended);
  return ended;
}

/**
 * Releases the slot and the parked execution. A failure does no harm: the execution times out, and a create that needs
 * the slot takes it.
 */
async function releaseCanceled(before: RunRecord, ended: EndedRun): Promise<void> {
  try {
    await releaseReservation(ended);
    await tellClosed(openJob(before));
    await pushMonitor(ended);
    if (before.task_token)
      await wake(before.task_token, { workspace_id: before.workspace_id, run_id: before.id });
  } catch (error) {
    log.warn('canceled run not finalized, the sweep will', { run_id: ended.id, error: describe(error) });
  }
}

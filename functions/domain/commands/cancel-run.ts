// Canceling a run: at once where no step is in hand, else when that step has ended (Contract 4.5).
import { releaseOf } from '#domain/billing/reservations.ts';
import { findRunView } from '#domain/runs/find-run.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { runError } from '#domain/runs/run-error.ts';
import { canceled } from '#domain/runs/transitions.ts';
import { wake } from '#orchestration/executions.ts';
import { describe, log } from '#platform/log.ts';
import type { RunView } from '#store/run-views.ts';
import { commit, type RunRecord, retryIfStale } from '#store/runs.ts';

/** Ends the run now; a step in hand still finishes and is billed, and `run.canceled` follows it. Safe to repeat. Throws run_not_found. */
export async function cancelRun(workspaceId: string, runId: string | undefined): Promise<RunView> {
  return retryIfStale(async () => {
    const { run, input } = await findRunView(workspaceId, runId);
    return { run: isTerminal(run) ? run : await cancelNow(run), input };
  });
}

async function cancelNow(run: RunRecord): Promise<RunRecord> {
  const now = Date.now();
  if (run.status === 'running') {
    // Whoever holds the step adds its index, the last event and the settlement.
    return commit(run, {
      status: 'canceled',
      completed_at: now,
      errors: [...run.errors, runError('canceled_by_user')],
    });
  }
  const { change, events } = canceled(run, null, [], now);
  const ended = await commit(run, change, events);
  await tidyUp(run, ended);
  return ended;
}

/** The run is canceled, whatever comes of this: a parked execution ends by its timeout too, a slot is found by the next that needs one. */
async function tidyUp(before: RunRecord, ended: RunRecord): Promise<void> {
  try {
    await releaseOf(ended);
    if (before.task_token)
      await wake(before.task_token, { workspace_id: before.workspace_id, run_id: before.id });
  } catch (error) {
    log.warn('canceled run not settled, the sweep will', { run_id: ended.id, error: describe(error) });
  }
}

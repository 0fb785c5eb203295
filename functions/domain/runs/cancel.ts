// Canceling a run: at once where no step is in hand, else when that step has ended (Contract 4.5).
import { canceled, settle } from '#domain/execution/ending.ts';
import { wake } from '#orchestration/executions.ts';
import type { RunView } from '#store/run-views.ts';
import { commit, type RunRecord, retryIfStale } from '#store/runs.ts';
import { findRunView } from './find.ts';
import { isTerminal } from './lifecycle.ts';
import { runError } from './run-error.ts';

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
  // A parked execution only has to end; when this is lost, the sweep finds nothing to do for it and it ends by its own timeout.
  if (run.task_token) await wake(run.task_token, { workspace_id: run.workspace_id, run_id: run.id });
  await settle(ended);
  return ended;
}

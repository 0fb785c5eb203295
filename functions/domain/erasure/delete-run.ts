// Deleting a run: at a caller's request, or because its retention is over (rules.md: deletion).
import { fail } from '#contract/errors.ts';
import { releaseReservation } from '#domain/billing/reservations.ts';
import { findRun } from '#domain/runs/find-run.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { hideRun } from '#store/runs/deletion.ts';
import type { EndedRun } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import type { Write } from '#store/table/table.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';

/** Deletes an ended run of a workspace. Throws run_not_found, run_not_terminal. */
export async function deleteRun(workspaceId: string, runId: string | undefined, by: Actor): Promise<void> {
  await runs.retryIfStale(async () => {
    const run = await findRun(workspaceId, runId);
    if (!isTerminal(run) || !run.log_finished)
      throw fail('run_not_terminal', { details: { status: run.status } });
    await forgetRun(run, [auditWrite(workspaceId, by, 'run.delete', run.id)]);
  });
}

/**
 * Puts a run out of sight for good, together with `effects`; the sweep erases what it has stored. Its slot is released
 * first, because only the run says what it has used. After a crash in between the run is unchanged. Throws StaleRun.
 */
export async function forgetRun(run: EndedRun, effects: Write[] = []): Promise<void> {
  await releaseReservation(run);
  await hideRun(run, effects);
}

// The run of an id whose workspace an administrator does not name.
import { AdminError } from '#domain/workspaces/admin-error.ts';
import type { RunRecord } from '#store/runs.ts';
import * as runs from '#store/runs.ts';
import * as workspaces from '#store/workspaces.ts';

/**
 * Looks for a run in a page of the workspaces, from after `after`; when it is in none of them, the next call goes on after `next`. Throws
 * AdminError `run_not_found` at the last page.
 */
export async function findRun(
  runId: string,
  after: string | undefined,
): Promise<{ run?: RunRecord; next?: string }> {
  const { ids, next } = await workspaces.idPage(after);
  const run = await runs.findAnywhere(ids, runId);
  if (run) return { run };
  if (next === undefined) throw new AdminError('run_not_found', `There is no run ${runId}.`);
  return { next };
}

// Finding a run for a caller: a run of another workspace looks like one that does not exist (rules.md: request 4).
import { fail } from '#contract/errors.ts';
import { isUuid } from '#platform/crypto.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { getRunView, type RunView } from '#store/runs/run-views.ts';
import * as runs from '#store/runs/runs.ts';

/**
 * Whether the retention of an ended run is over. The table hides such a run once its log is finished; until then its
 * last step, which a cancel has interrupted, still needs it.
 */
export function isGone({
  completed_at,
  config: { retain_seconds },
}: Pick<RunRecord, 'completed_at' | 'config'>): boolean {
  if (completed_at === undefined || retain_seconds === undefined) return false;
  return completed_at + retain_seconds * 1000 <= Date.now();
}

/** The run with its input. Throws run_not_found. */
export async function findRunView(workspaceId: string, runId: string | undefined): Promise<RunView> {
  const view = isUuid(runId) ? await getRunView(workspaceId, runId.toLowerCase()) : undefined;
  if (!view || isGone(view.run)) throw fail('run_not_found');
  return view;
}

/** What readers of its log need of a run. Throws run_not_found. */
export async function findLog(workspaceId: string, runId: string | undefined): Promise<runs.LogHead> {
  const head = isUuid(runId) ? await runs.getLogHead(workspaceId, runId.toLowerCase()) : undefined;
  if (!head || isGone(head)) throw fail('run_not_found');
  return head;
}

/** The run alone. Throws run_not_found. */
export async function findRun(workspaceId: string, runId: string | undefined): Promise<RunRecord> {
  const run = isUuid(runId) ? await runs.get(workspaceId, runId.toLowerCase()) : undefined;
  if (!run || isGone(run)) throw fail('run_not_found');
  return run;
}

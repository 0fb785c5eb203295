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

/** Where a caller looks for a run. */
type Names = [workspaceId: string, runId: string | undefined];

/** What `read` finds of a run. Throws run_not_found. */
async function found<T>(
  [workspaceId, runId]: Names,
  read: (workspaceId: string, runId: string) => Promise<T | undefined>,
  runOf: (one: T) => Parameters<typeof isGone>[0],
): Promise<T> {
  const one = isUuid(runId) ? await read(workspaceId, runId.toLowerCase()) : undefined;
  if (!one || isGone(runOf(one))) throw fail('run_not_found');
  return one;
}

/** The run with its input. Throws run_not_found. */
export const findRunView = (...names: Names): Promise<RunView> => found(names, getRunView, ({ run }) => run);

/** What readers of its log need of a run. Throws run_not_found. */
export const findLog = (...names: Names): Promise<runs.LogHead> =>
  found(names, runs.getLogHead, (head) => head);

/** The run alone. Throws run_not_found. */
export const findRun = (...names: Names): Promise<RunRecord> => found(names, runs.get, (run) => run);

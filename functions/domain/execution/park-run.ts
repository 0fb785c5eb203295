// Parking a run that waits: its execution waits on a task token, which costs nothing, until the wait or its time is
// over.
import type { ExecutionKey } from '#contract/run-keys.ts';
import { isReplaced } from '#domain/runs/lifecycle.ts';
import { followTrace } from '#domain/runs/trace.ts';
import { waitOf } from '#domain/runs/waits.ts';
import { inMaintenance } from '#domain/workspaces/maintenance.ts';
import { wake } from '#orchestration/executions.ts';
import * as runs from '#store/runs/runs.ts';
import { waitsForJob } from '#store/runs/work-time.ts';

/**
 * Stores the token while the run waits. The end of a job is a commit of the run, so either that
 * commit sees the token, or this one sees that the wait is over. The slice is over, so the run has no owner. Maintenance may end at the same time: its end clears the flag before it
 * reads tokens, this stores the token before it reads the flag, so one of the two always sees the other. A wait for a
 * model ends by its time.
 */
export async function parkRun(key: ExecutionKey, taskToken: string): Promise<void> {
  const parked = await runs.retryIfStale(async () => {
    const run = await runs.get(key.workspace_id, key.run_id);
    if (run) followTrace(run);
    if (!run || !waitOf(run) || isReplaced(run, key)) return undefined;
    const change = { task_token: taskToken, ...(waitsForJob(run) && { owner: undefined }) };
    return runs.commit(run, { change });
  });
  if (parked && (parked.waiting?.until !== undefined || (await inMaintenance(key.workspace_id)))) return;
  await wake(taskToken, key);
}

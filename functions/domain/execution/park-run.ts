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

/** A wait that ends this much too late is begun again, with the time that the run has now. */
const OVERSLEPT_MAX_MS = 5000;

/**
 * Stores the token while the run waits, at most `wait_seconds`. The end of a job is a commit of the run: either it sees
 * the token, or this sees that the wait is over. The slice is over, so the run has no owner. Maintenance may end at the
 * same time: its end clears the flag before it reads tokens, this stores the token before it reads the flag, so one of
 * the two always sees the other. A wait for a model ends by its time.
 */
export async function parkRun(key: ExecutionKey, task_token: string, wait_seconds = 0): Promise<void> {
  const parked = await runs.retryIfStale(async () => {
    const run = await runs.get(key.workspace_id, key.run_id);
    if (run) followTrace(run);
    const waiting = run && waitOf(run);
    if (!waiting || isReplaced(run, key)) return undefined;
    // The next attempt of a job may have become due sooner than the slice could know.
    const overslept_ms = Date.now() + wait_seconds * 1000 - (waiting.until ?? Number.POSITIVE_INFINITY);
    if (overslept_ms > OVERSLEPT_MAX_MS) return undefined;
    return runs.commit(run, { change: { task_token, ...(waitsForJob(run) && { owner: undefined }) } });
  });
  if (parked && (parked.waiting?.until !== undefined || (await inMaintenance(key.workspace_id)))) return;
  await wake(task_token, key);
}

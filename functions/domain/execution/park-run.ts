// Parking a paused run: its execution waits on a task token that costs nothing, and whoever ends the pause answers it.
import type { RunKey } from '#contract/keys.ts';
import { wake } from '#orchestration/executions.ts';
import { commit, get, retryIfStale } from '#store/runs.ts';
import { get as getWorkspace, serviceMaintenance } from '#store/workspaces.ts';

/** Whether maintenance of the service or of the workspace is on. */
export async function inMaintenance(workspaceId: string): Promise<boolean> {
  const [service, workspace] = await Promise.all([serviceMaintenance(), getWorkspace(workspaceId)]);
  return service || workspace?.maintenance === true;
}

/**
 * Stores the token while the run is paused and maintenance lasts. Maintenance may end between the pause and this: its end clears the flag
 * before it looks for tokens, this stores the token before it looks at the flag, so one of the two always sees the other.
 */
export async function parkRun(place: RunKey, taskToken: string): Promise<void> {
  const parked = await retryIfStale(async () => {
    const run = await get(place.workspace_id, place.run_id);
    return run?.status === 'paused' ? commit(run, { task_token: taskToken }) : undefined;
  });
  if (parked && (await inMaintenance(place.workspace_id))) return;
  await wake(taskToken, place);
}

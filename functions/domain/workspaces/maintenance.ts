// Maintenance, of the whole service or of one workspace: runs pause before their next step, and go on when it is over (rules.md: maintenance).
import { wake } from '#orchestration/executions.ts';
import { readCounters } from '#store/counters.ts';
import type { RunRecord } from '#store/runs.ts';
import * as runs from '#store/runs.ts';
import * as workspaces from '#store/workspaces.ts';
import { requireWorkspace } from './require-workspace.ts';

/** `active`: maintenance of the scope or of the whole service is on. `runs` counts the runs that were asked to pause or to continue. */
export interface MaintenanceReport {
  active: boolean;
  scope: 'service' | 'workspace';
  workspace_id?: string;
  /** Workspaces under a maintenance of their own; in the report on the service. */
  workspaces?: string[];
  runs?: number;
}

/** Starts maintenance: from now on no run of the scope begins a step. Repeating it is harmless. Throws AdminError `workspace_not_found`. */
export async function startMaintenance(workspaceId?: string): Promise<MaintenanceReport> {
  await setFlag(workspaceId, true);
  let changed = 0;
  for (const id of workspaceId ? [workspaceId] : await workspaces.listIds())
    changed += await eachRunInFlight(id, requestPause);
  return { ...(await showMaintenance(workspaceId)), runs: changed };
}

/**
 * Ends maintenance: paused runs continue, unless the other kind is still on. The flag is cleared before any run is read: a run that
 * parks at this moment stores its token and then reads the flag, so one of the two always wakes it.
 */
export async function endMaintenance(workspaceId?: string): Promise<MaintenanceReport> {
  await setFlag(workspaceId, false);
  let changed = 0;
  for (const id of workspaceId ? [workspaceId] : await workspaces.listIds())
    if (!(await inMaintenance(id))) changed += await eachRunInFlight(id, continueRun);
  return { ...(await showMaintenance(workspaceId)), runs: changed };
}

/** Whether maintenance is on. Throws AdminError `workspace_not_found`. */
export async function showMaintenance(workspaceId?: string): Promise<MaintenanceReport> {
  if (workspaceId) {
    await requireWorkspace(workspaceId);
    return { active: await inMaintenance(workspaceId), scope: 'workspace', workspace_id: workspaceId };
  }
  const [active, all] = await Promise.all([workspaces.serviceMaintenance(), workspaces.listAll()]);
  const own = all.filter((workspace) => workspace.maintenance).map(({ workspace_id }) => workspace_id);
  return { active, scope: 'service', workspaces: own };
}

async function setFlag(workspaceId: string | undefined, active: boolean): Promise<void> {
  if (workspaceId === undefined) return workspaces.setServiceMaintenance(active);
  await requireWorkspace(workspaceId);
  await workspaces.update(workspaceId, { maintenance: active });
}

/** Whether maintenance of the service or of the workspace is on. */
export async function inMaintenance(workspaceId: string): Promise<boolean> {
  const [service, workspace] = await Promise.all([
    workspaces.serviceMaintenance(),
    workspaces.get(workspaceId),
  ]);
  return service || workspace?.maintenance === true;
}

/** Applies `act` to each run that has a slot, and counts those that it changed. */
async function eachRunInFlight(
  workspaceId: string,
  act: (run: RunRecord) => Promise<boolean>,
): Promise<number> {
  const { slots } = await readCounters(workspaceId);
  const acted = await Promise.all(
    Object.keys(slots).map((runId) =>
      runs.retryIfStale(async () => {
        const run = await runs.get(workspaceId, runId);
        return run !== undefined && (await act(run));
      }),
    ),
  );
  return acted.filter(Boolean).length;
}

/** A pending run pauses too: it may have read the flag just before it was set. */
const canPause = ({ status }: RunRecord) => status === 'pending' || status === 'running';

async function requestPause(run: RunRecord): Promise<boolean> {
  if (!canPause(run) || run.pause_requested) return false;
  await runs.commit(run, { pause_requested: true });
  return true;
}

async function continueRun(run: RunRecord): Promise<boolean> {
  if (run.status === 'paused' && run.task_token !== undefined) {
    await wake(run.task_token, { workspace_id: run.workspace_id, run_id: run.id });
    return true;
  }
  if (!canPause(run) || !run.pause_requested) return false;
  await runs.commit(run, { pause_requested: undefined });
  return true;
}

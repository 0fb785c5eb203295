// Maintenance of the service or a workspace: runs pause before their next step (rules.md: maintenance).
import { inMaintenanceNow } from '#domain/runs/waits.ts';
import { wake } from '#orchestration/executions.ts';
import { settleAll } from '#platform/settle-all.ts';
import { readCounters } from '#store/money/counters.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { waitsForModel } from '#store/runs/work-time.ts';
import { transact } from '#store/table/table.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { requireWorkspace } from './require-workspace.ts';

/**
 * `active`: maintenance of the scope or of the whole service is on. `runs` counts the runs asked to pause or continue.
 * The service's report covers one page of workspaces; `next` is the `after` of the next page.
 */
export interface MaintenanceReport {
  active: boolean;
  scope: 'service' | 'workspace';
  workspace_id?: string;
  /** Workspaces with their own maintenance; in the service's report. */
  workspaces?: string[];
  runs?: number;
  next?: string | undefined;
}

/** The workspaces of a call. */
interface Covered {
  workspaces: Workspace[];
  next: string | undefined;
}

/** Concurrent workspaces. */
const AT_ONCE = 20;

/**
 * Starts maintenance: no run of the scope starts a step from now on. For the service, one page of workspaces after
 * `after` is paused per call. Safe to repeat. Throws AdminError `workspace_not_found`.
 */
export async function startMaintenance(
  workspaceId: string | undefined,
  after: string | undefined,
  by: Actor,
): Promise<MaintenanceReport> {
  if (after === undefined) await setFlag(workspaceId, true, by);
  const covered = await cover(workspaceId, after);
  const runs = await inEach(covered.workspaces, requestPause);
  return { ...(await report(workspaceId, covered)), runs };
}

/**
 * Ends maintenance: paused runs continue unless the other scope is still in maintenance; for the service one page of
 * workspaces per call. The flag is cleared before any run is read: a run that parks now stores its token and then reads
 * the flag, so one of the two always wakes it.
 */
export async function endMaintenance(
  workspaceId: string | undefined,
  after: string | undefined,
  by: Actor,
): Promise<MaintenanceReport> {
  if (after === undefined) await setFlag(workspaceId, false, by);
  const covered = await cover(workspaceId, after);
  const serviceOn = await workspaces.serviceMaintenance();
  const free = covered.workspaces.filter(({ maintenance }) => !serviceOn && !maintenance);
  const runs = await inEach(free, continueRun);
  return { ...(await report(workspaceId, covered)), runs };
}

/** Whether maintenance is on. Throws AdminError `workspace_not_found`. */
export async function showMaintenance(workspaceId?: string, after?: string): Promise<MaintenanceReport> {
  return report(workspaceId, await cover(workspaceId, after));
}

async function cover(workspaceId: string | undefined, after: string | undefined): Promise<Covered> {
  if (workspaceId === undefined) return workspaces.page(after);
  return { workspaces: [await requireWorkspace(workspaceId)], next: undefined };
}

async function report(workspaceId: string | undefined, covered: Covered): Promise<MaintenanceReport> {
  if (workspaceId)
    return { active: await inMaintenance(workspaceId), scope: 'workspace', workspace_id: workspaceId };
  const own = covered.workspaces.filter(({ maintenance }) => maintenance);
  return {
    active: await workspaces.serviceMaintenance(),
    scope: 'service',
    workspaces: own.map(({ workspace_id }) => workspace_id),
    next: covered.next,
  };
}

/** Applies `act` to each run in flight of the workspaces; counts the runs it changed. */
async function inEach(covered: Workspace[], act: (run: RunRecord) => Promise<boolean>): Promise<number> {
  const changed = await settleAll(covered, AT_ONCE, ({ workspace_id }) => eachRunInFlight(workspace_id, act));
  return changed.reduce((sum, one) => sum + one, 0);
}

/** The audit is that of one workspace; maintenance of all is in the log of commands. */
async function setFlag(workspaceId: string | undefined, active: boolean, by: Actor): Promise<void> {
  if (workspaceId === undefined) return workspaces.setServiceMaintenance(active);
  const { maintenance = false } = await requireWorkspace(workspaceId);
  if (maintenance === active) return;
  const action = active ? 'maintenance.start' : 'maintenance.end';
  await transact([
    ...workspaces.updateWrites(workspaceId, { maintenance: active }),
    auditWrite(workspaceId, by, action, workspaceId),
  ]);
}

/** Whether maintenance of the service or of the workspace is on. */
export async function inMaintenance(workspaceId: string): Promise<boolean> {
  const [service, workspace] = await Promise.all([
    workspaces.serviceMaintenance(),
    workspaces.get(workspaceId),
  ]);
  return service || workspace?.maintenance === true;
}

/** Applies `act` to each run that has a slot; counts the runs it changed. */
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
  // The task of a paused run may have read the flag just before it was set: after a commit it reads again.
  if (run.status === 'paused') await runs.commit(run, { change: inMaintenanceNow(run, Date.now()) });
  if (!canPause(run) || run.pause_requested) return false;
  await runs.commit(run, { change: { pause_requested: true } });
  return true;
}

async function continueRun(run: RunRecord): Promise<boolean> {
  if (run.status === 'paused' && run.task_token !== undefined && !waitsForModel(run)) {
    await wake(run.task_token, { workspace_id: run.workspace_id, run_id: run.id });
    return true;
  }
  if (!canPause(run) || !run.pause_requested) return false;
  await runs.commit(run, { change: { pause_requested: undefined } });
  return true;
}

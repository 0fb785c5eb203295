// Creates a workspace and changes its settings.
import type { Feature } from '#contract/scopes.ts';
import { reconcileSlots } from '#domain/runs/reconcile-slots.ts';
import { isSameJson } from '#platform/crypto.ts';
import { newId } from '#platform/ids.ts';
import { grantWrite } from '#store/money/counters.ts';
import { takesEffect, transact } from '#store/table/table.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { AdminError } from './admin-error.ts';
import { requireWorkspace } from './require-workspace.ts';
import { showWorkspace, type WorkspaceReport } from './show-workspace.ts';

export interface Settings {
  name?: string | undefined;
  tier?: Workspace['tier'] | undefined;
  status?: Workspace['status'] | undefined;
  features?: Feature[] | undefined;
  /** Unreserved credits; a workspace that never had any draws none. */
  credits?: number | undefined;
  max_concurrent_runs?: number | undefined;
  daily_cost_cap_usd?: number | undefined;
}

/** Creates an active workspace, in the tier `free` by default. An existing workspace of that id stays unchanged. */
export async function createWorkspace(
  settings: Settings & { name: string },
  id = newId(),
): Promise<WorkspaceReport> {
  const { credits, ...rest } = settings;
  await workspaces.create(
    {
      tier: 'free',
      status: 'active',
      features: [],
      ...rest,
      workspace_id: id,
      credits: credits !== undefined,
      created_at: Date.now(),
    },
    credits,
  );
  return showWorkspace(id);
}

/** Changes the given settings only. What changes nothing leaves no trace. Throws AdminError `workspace_not_found`. */
export async function updateWorkspace(
  workspaceId: string,
  settings: Settings,
  by: Actor,
): Promise<WorkspaceReport> {
  const workspace = await requireWorkspace(workspaceId);
  const { credits, ...rest } = settings;
  // What ended runs still hold returns first, or it would come on top of the new balance.
  if (credits !== undefined) await reconcileSlots(workspaceId);
  const wanted: Partial<Workspace> = { ...rest, ...(credits !== undefined && { credits: true }) };
  const writes = [
    ...(credits === undefined ? [] : [grantWrite(workspaceId, credits)]),
    ...(changesNothing(workspace, wanted) ? [] : workspaces.updateWrites(workspaceId, wanted)),
  ];
  if (writes.length > 0) {
    const entry = auditWrite(workspaceId, by, 'workspace.update', workspaceId);
    if (!(await takesEffect(transact([...writes, entry]))))
      throw new AdminError('workspace_not_found', `The workspace ${workspaceId} is being purged.`);
  }
  return showWorkspace(workspaceId);
}

function changesNothing(workspace: Workspace, wanted: Partial<Workspace>): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => value === undefined || isSameJson(value, Reflect.get(workspace, name) ?? null),
  );
}

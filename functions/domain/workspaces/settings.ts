// Creates a workspace and changes its settings.
import type { Feature } from '#contract/scopes.ts';
import { newId } from '#platform/ids.ts';
import { grantCredits } from '#store/money/counters.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
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

/** Changes the given settings only. Throws AdminError `workspace_not_found`. */
export async function updateWorkspace(workspaceId: string, settings: Settings): Promise<WorkspaceReport> {
  await requireWorkspace(workspaceId);
  const { credits, ...rest } = settings;
  // The balance first: no run may draw credits before it exists.
  if (credits !== undefined) await grantCredits(workspaceId, credits);
  await workspaces.update(workspaceId, { ...rest, ...(credits !== undefined && { credits: true }) });
  return showWorkspace(workspaceId);
}

// The report of a workspace: settings, limits and spending.
import { picoToUsd } from '#models/pricing.ts';
import { spentToday } from '#store/money/costs.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import { requireWorkspace } from './require-workspace.ts';
import { usageOfWorkspace, type WorkspaceUsage } from './workspace-usage.ts';

export interface WorkspaceReport
  extends Pick<Workspace, 'workspace_id' | 'name' | 'tier' | 'status' | 'features' | 'created_at'>,
    WorkspaceUsage {
  /** Since the last UTC midnight. */
  cost_today_usd: number;
}

/** A workspace with its current counters. Throws AdminError `workspace_not_found`. */
export async function showWorkspace(workspaceId: string): Promise<WorkspaceReport> {
  const workspace = await requireWorkspace(workspaceId);
  const [standing, spent] = await Promise.all([
    usageOfWorkspace(workspace),
    spentToday(workspaceId, Date.now()),
  ]);
  const { workspace_id, name, tier, status, features, created_at } = workspace;
  return {
    workspace_id,
    name,
    tier,
    status,
    features,
    ...standing,
    cost_today_usd: picoToUsd(spent),
    created_at,
  };
}

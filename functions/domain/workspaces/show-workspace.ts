// The report of a workspace: settings, limits and spending.
import { reconcileSlots } from '#domain/runs/slots.ts';
import { picoToUsd } from '#models/pricing.ts';
import { spentToday } from '#store/costs.ts';
import { readCounters } from '#store/counters.ts';
import { dailyCostCapUsd, maxConcurrentRuns, type Workspace } from '#store/workspaces.ts';
import { requireWorkspace } from './require-workspace.ts';

/** Limits are the ones in force: the workspace's own, else its tier's. Credits are null where runs draw none. */
export interface WorkspaceReport
  extends Pick<Workspace, 'workspace_id' | 'name' | 'tier' | 'status' | 'features' | 'created_at'> {
  credits_left: number | null;
  credits_held: number | null;
  runs_in_flight: number;
  max_concurrent_runs: number;
  cost_today_usd: number;
  daily_cost_cap_usd: number;
}

/** A workspace with its counters as of now; `cost_today_usd` is since the last UTC midnight. Throws AdminError `workspace_not_found`. */
export async function showWorkspace(workspaceId: string): Promise<WorkspaceReport> {
  const workspace = await requireWorkspace(workspaceId);
  // Slots of ended runs are released first, so that they are not counted.
  const { in_flight } = await reconcileSlots(workspaceId);
  const [counters, spent] = await Promise.all([
    readCounters(workspaceId),
    spentToday(workspaceId, Date.now()),
  ]);
  const held = in_flight.reduce((sum, run) => sum + (counters.slots[run]?.held ?? 0), 0);
  const { workspace_id, name, tier, status, features, credits, created_at } = workspace;
  return {
    workspace_id,
    name,
    tier,
    status,
    features,
    credits_left: credits ? (counters.credits_free ?? 0) : null,
    credits_held: credits ? held : null,
    runs_in_flight: in_flight.length,
    max_concurrent_runs: maxConcurrentRuns(workspace),
    cost_today_usd: picoToUsd(spent),
    daily_cost_cap_usd: dailyCostCapUsd(workspace),
    created_at,
  };
}

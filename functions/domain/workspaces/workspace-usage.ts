// What a workspace may use and what it uses now.
import { readSlots } from '#domain/runs/reconcile-slots.ts';
import { dailyCostCapUsd, maxConcurrentRuns, type Workspace } from '#store/workspaces/workspaces.ts';

/** Limits are the effective ones: the workspace's own, or else its tier's. Credits are null where runs draw none. */
export interface WorkspaceUsage {
  credits_left: number | null;
  credits_held: number | null;
  runs_in_flight: number;
  max_concurrent_runs: number;
  daily_cost_cap_usd: number;
}

/** Read only: reservations of ended runs count as released. */
export async function usageOfWorkspace(workspace: Workspace): Promise<WorkspaceUsage> {
  const { in_flight, stale, credits_free = 0 } = await readSlots(workspace.workspace_id);
  const returned = stale.reduce((sum, { held, used }) => sum + held - used, 0);
  const reserved = in_flight.reduce((sum, slot) => sum + slot.held, 0);
  return {
    credits_left: workspace.credits ? credits_free + returned : null,
    credits_held: workspace.credits ? reserved : null,
    runs_in_flight: in_flight.length,
    max_concurrent_runs: maxConcurrentRuns(workspace),
    daily_cost_cap_usd: dailyCostCapUsd(workspace),
  };
}

// What a workspace and one of its keys may spend on a day, and have spent.
import { costKeys, type DaySpent, type Spender, spentOnDay } from '../money/costs.ts';
import { getItem, type Item, type Key } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { dailyCostCapUsd, Workspace } from './workspaces.ts';

/** What a workspace and a key may spend on a UTC day, in USD. */
export interface DailyCaps {
  workspace_usd: number;
  /** undefined: as much as its workspace. */
  key_usd: number | undefined;
  /** Of each key that bounds it, in their order. */
  above_usd?: number[];
}

/** What a payer may spend, besides the cap of its workspace. */
export function limitsOf(
  own_usd: number | undefined,
  { bounded_by = [] }: Spender,
): Omit<DailyCaps, 'workspace_usd'> {
  return { key_usd: own_usd, above_usd: bounded_by.map(({ limit_usd }) => limit_usd) };
}

/** Who pays for a run. The limit of a key never changes, so the run has it. */
export interface LimitedPayer extends Spender {
  workspace_id: string;
  key_daily_limit_usd?: number | undefined;
}

/** The caps of a payer, and what its workspace and key have spent on a UTC day. */
export interface Day {
  caps: DailyCaps;
  spent: DaySpent;
}

/** Keys of the items that `dayOf` needs, in its order. */
export function dayKeys(workspaceId: string, atMs: number): [Key, ...Key[]] {
  return [keys.workspace(workspaceId), ...costKeys(workspaceId, atMs)];
}

/** The UTC day of `atMs`, by items that one read has found; undefined if the workspace is gone. */
export function dayOf(
  payer: LimitedPayer,
  atMs: number,
  [workspace, ...costs]: (Item | undefined)[],
): Day | undefined {
  if (!workspace) return undefined;
  const workspace_usd = dailyCostCapUsd(Workspace.parse(workspace));
  return {
    caps: { workspace_usd, ...limitsOf(payer.key_daily_limit_usd, payer) },
    spent: spentOnDay(payer, atMs, costs),
  };
}

/** The UTC day of `atMs`, in one read. */
export async function readDay(payer: LimitedPayer, atMs: number): Promise<Day | undefined> {
  return dayOf(payer, atMs, await Promise.all(dayKeys(payer.workspace_id, atMs).map(getItem)));
}

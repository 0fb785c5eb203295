// Whether a day's spending has reached a cap (rules.md: capacity 2).
import { picoToUsd, usdToPico } from '#models/pricing.ts';
import { type DaySpent, nextUtcDay } from '#store/money/costs.ts';
import type { DailyCaps } from '#store/workspaces/day-limits.ts';

/** Code and details of the error for a day whose spending has reached a cap; undefined: it has not. */
export function reachedCap({ workspace_usd, key_usd }: DailyCaps, spent: DaySpent, nowMs: number) {
  if (spent.workspace >= usdToPico(workspace_usd))
    return reached('workspace_cost_cap_exceeded', workspace_usd, spent.workspace, nowMs);
  return key_usd !== undefined && spent.key >= usdToPico(key_usd)
    ? reached('cost_threshold_exceeded', key_usd, spent.key, nowMs)
    : undefined;
}

function reached<Code extends string>(code: Code, limit_usd: number, spent: bigint, nowMs: number) {
  return { code, details: { limit_usd, spent_usd: picoToUsd(spent), resets_at: nextUtcDay(nowMs) } };
}

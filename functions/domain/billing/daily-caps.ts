// Whether a day's spending has reached a cap (rules.md: capacity 2).
import { picoToUsd, usdToPico } from '#models/pricing.ts';
import { type DaySpent, nextUtcDay } from '#store/money/costs.ts';
import type { DailyCaps } from '#store/workspaces/day-limits.ts';

/** Code and details of the error for a day whose spending has reached a cap; undefined: it has not. */
export function reachedCap(caps: DailyCaps, spent: DaySpent, nowMs: number) {
  if (spent.workspace >= usdToPico(caps.workspace_usd))
    return reached('workspace_cost_cap_exceeded', caps.workspace_usd, spent.workspace, nowMs);
  return reachedLimit(caps, spent, nowMs);
}

/** As `reachedCap`, for the limits of the key alone: its own, and those of the keys that bound it. */
export function reachedLimit(
  { key_usd, above_usd = [] }: Omit<DailyCaps, 'workspace_usd'>,
  { key, above = [] }: DaySpent,
  nowMs: number,
) {
  for (const [i, limit_usd] of [key_usd, ...above_usd].entries()) {
    const spent = i === 0 ? key : (above[i - 1] ?? 0n);
    if (limit_usd !== undefined && spent >= usdToPico(limit_usd))
      return reached('cost_threshold_exceeded', limit_usd, spent, nowMs);
  }
  return undefined;
}

function reached<Code extends string>(code: Code, limit_usd: number, spent: bigint, nowMs: number) {
  return { code, details: { limit_usd, spent_usd: picoToUsd(spent), resets_at: nextUtcDay(nowMs) } };
}

// Capacity: prices, daily caps, slots and credits. The last check before a run is written.
import { fail } from '#contract/errors.ts';
import type { PriceTable } from '#contract/models.ts';
import type { Caller } from '#domain/access/authenticate.ts';
import { reconcileSlots } from '#domain/runs/slots.ts';
import { picoToUsd, priceOf, usdToPico } from '#models/pricing.ts';
import { claimSlot } from '#store/claim-slot.ts';
import { nextUtcDay } from '#store/costs.ts';
import { readCounters } from '#store/counters.ts';
import { dailyCostCapUsd, maxConcurrentRuns } from '#store/workspaces.ts';

/** The model of a stage as far as capacity goes: its name and the price table. */
export interface ModelPricing {
  name: string;
  prices: PriceTable;
}

/** Throws usage_accounting_unavailable for a model without a price: its calls could not be counted. */
export function checkPrice({ name, prices }: ModelPricing): void {
  if (!priceOf(prices, name)) throw fail('usage_accounting_unavailable');
}

/** Throws when today's spending of the workspace or of the key has reached its cap (rules.md: capacity 2). */
export function checkDailyCaps({ workspace, key, spent_today }: Caller): void {
  const resets_at = nextUtcDay(Date.now());
  const cap = dailyCostCapUsd(workspace);
  if (spent_today.workspace >= usdToPico(cap))
    throw fail('workspace_cost_cap_exceeded', {
      details: { limit_usd: cap, spent_usd: picoToUsd(spent_today.workspace), resets_at },
    });
  const limit = key.daily_cost_limit_usd;
  if (limit !== undefined && spent_today.key >= usdToPico(limit))
    throw fail('cost_threshold_exceeded', {
      details: { limit_usd: limit, spent_usd: picoToUsd(spent_today.key), resets_at },
    });
}

/**
 * Claims a slot and reserves the credits that the run can need; returns the reserved credits, undefined where the workspace draws none.
 * Before it refuses, it releases the slots of ended runs, so that the end of a run frees its slot even before it is finalized. Throws
 * concurrent_runs_exceeded, workspace_cost_cap_exceeded (credits).
 */
export async function reserveCapacity(
  { workspace }: Caller,
  runId: string,
  credits: number,
): Promise<number | undefined> {
  const limit = maxConcurrentRuns(workspace);
  const reserved = workspace.credits ? credits : undefined;
  const claim = () => claimSlot(workspace.workspace_id, runId, limit, reserved);
  if (await claim()) return reserved;
  await reconcileSlots(workspace.workspace_id);
  for (;;) {
    if (await claim()) return reserved;
    const { slots, credits_free = 0 } = await readCounters(workspace.workspace_id);
    const in_flight = Object.keys(slots).length;
    if (in_flight >= limit) throw fail('concurrent_runs_exceeded', { details: { limit, in_flight } });
    // Capacity came free since the claim failed: claim again, because a refusal must state a fact.
    if (reserved === undefined || credits_free >= reserved) continue;
    throw fail('workspace_cost_cap_exceeded', {
      message: 'The workspace has too few credits left.',
      details: { reason: 'credits', required: reserved, available: credits_free },
    });
  }
}

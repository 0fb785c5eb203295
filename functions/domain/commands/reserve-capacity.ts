// Capacity: prices, daily caps, slots and credits. The last check before a run exists.
import { fail } from '#contract/errors.ts';
import type { Caller } from '#domain/access/authenticate.ts';
import { reconcileSlots } from '#domain/runs/slots.ts';
import { type PriceTable, picoToUsd, priceOf, usdToPico } from '#models/pricing.ts';
import { nextUtcDay } from '#store/costs.ts';
import { claimSlot, readCounters } from '#store/counters.ts';
import { dailyCostCapUsd, maxConcurrentRuns } from '#store/workspaces.ts';

/** Throws usage_accounting_unavailable for a model that the price table lacks: its runs could not be counted. */
export function checkPrice(prices: PriceTable, modelName: string): void {
  if (!priceOf(prices, modelName)) throw fail('usage_accounting_unavailable');
}

/** Throws when today's spending of the workspace or of the key has reached its cap (Contract 4.9). */
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
 * Takes a slot, and the credits the run may need. Before it refuses, it takes back what ended runs still hold, so that a run's end frees
 * its slot at once even if its settlement is still to come. Throws concurrent_runs_exceeded or workspace_cost_cap_exceeded (credits).
 */
export async function admit(
  caller: Caller,
  runId: string,
  credits: number,
): Promise<{ held: number | undefined }> {
  const { workspace } = caller;
  const limit = maxConcurrentRuns(workspace);
  const held = workspace.credits ? credits : undefined;
  const claim = () => claimSlot(workspace.workspace_id, runId, limit, held);
  if (await claim()) return { held };
  await reconcileSlots(workspace.workspace_id);
  for (;;) {
    if (await claim()) return { held };
    const { slots, credits_free = 0 } = await readCounters(workspace.workspace_id);
    const in_flight = Object.keys(slots).length;
    if (in_flight >= limit) throw fail('concurrent_runs_exceeded', { details: { limit, in_flight } });
    // With room again by now, the claim is made again: a refusal must be true of what it says.
    if (held === undefined || credits_free >= held) continue;
    throw fail('workspace_cost_cap_exceeded', {
      message: 'The workspace has too few credits left.',
      details: { reason: 'credits', required: held, available: credits_free },
    });
  }
}

// Capacity: prices, daily caps, slots and credits. The last check before a run is written.
import { fail } from '#contract/errors.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { reachedCap, reachedLimit } from '#domain/billing/daily-caps.ts';
import { reconcileSlots } from '#domain/runs/reconcile-slots.ts';
import type { ModelPricing } from '#models/endpoint-settings.ts';
import { priceOf } from '#models/pricing.ts';
import { isServiceTrouble, ServiceTrouble } from '#platform/service-trouble.ts';
import { type ClaimedBy, claimSlot } from '#store/money/claim-slot.ts';
import { readCounters } from '#store/money/counters.ts';
import { releaseSlot } from '#store/money/slots.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { limitsOf } from '#store/workspaces/day-limits.ts';
import { dailyCostCapUsd, maxConcurrentRuns, type Workspace } from '#store/workspaces/workspaces.ts';

/** Throws usage_accounting_unavailable if an endpoint has no price: its calls could not be counted. */
export function checkPrice({ names, prices }: ModelPricing): void {
  if (names.some((name) => !priceOf(prices, name))) throw fail('usage_accounting_unavailable');
}

/** Throws if today's spending of the workspace or of the key has reached its cap (rules.md: capacity 2). */
export function checkDailyCaps({ workspace, key, spent_today }: CallerWithCosts): void {
  const workspace_usd = dailyCostCapUsd(workspace);
  const caps = { workspace_usd, ...limitsOf(key.daily_cost_limit_usd, key) };
  const reached = reachedCap(caps, spent_today, Date.now());
  if (reached) throw fail(reached.code, { details: reached.details });
}

/**
 * Throws cost_threshold_exceeded if the day of the key is spent: it makes no runs, even if another key pays for them
 * (rules.md: keys 12).
 */
export function checkKeyDay({ key, spent_today }: CallerWithCosts): void {
  const reached = reachedLimit(limitsOf(key.daily_cost_limit_usd, key), spent_today, Date.now());
  if (reached) throw fail(reached.code, { details: reached.details });
}

/** The credits that a run of a workspace reserves; undefined if it draws none. */
export function reservedCredits(workspace: Workspace, credits: number): number | undefined {
  return workspace.credits ? credits : undefined;
}

/** How often a claim is repeated because capacity was released after it had failed. */
const TRIES = 20;

/**
 * Claims a slot and reserves the credits that the run may need (undefined: it draws none). Before it refuses, it
 * releases the slots of ended runs, so that the end of a run frees its slot even before it is finalized. Throws
 * concurrent_runs_exceeded, workspace_cost_cap_exceeded (credits), ServiceTrouble.
 */
export async function reserveCapacity(
  { workspace }: CallerWithCosts,
  runId: string,
  reserved: number | undefined,
  by: ClaimedBy,
): Promise<void> {
  const limit = maxConcurrentRuns(workspace);
  const claim = () => claimSlot(workspace.workspace_id, runId, limit, reserved, by);
  if (await claim()) return;
  await reconcileSlots(workspace.workspace_id);
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await claim()) return;
    const { slots, credits_free = 0 } = await readCounters(workspace.workspace_id);
    const in_flight = Object.keys(slots).length;
    if (in_flight >= limit) throw fail('concurrent_runs_exceeded', { details: { limit, in_flight } });
    // Capacity was released after the claim failed: claim again, because a refusal must state a fact.
    if (reserved === undefined || credits_free >= reserved) continue;
    throw fail('workspace_cost_cap_exceeded', {
      message: 'The workspace has too few credits left.',
      details: { reason: 'credits', required: reserved, available: credits_free },
    });
  }
  throw new ServiceTrouble('the count of slots differs from the slots');
}

/**
 * Releases what a request has claimed at `claimedAt` for a run that another request has written (`winner`; undefined:
 * deleted since). While the run is in flight the slot is the winner's, and its end releases every claim before that.
 */
export async function releaseLostClaim(
  { workspace_id, id }: Pick<RunRecord, 'workspace_id' | 'id'>,
  winner: RunRecord | undefined,
  claimedAt: number,
): Promise<void> {
  if (winner && !(winner.log_finished && claimedAt > (winner.completed_at ?? 0))) return;
  await releaseSlot(workspace_id, id, 0, { claimed_at: claimedAt });
}

/**
 * Releases what a request has claimed at `claimedAt` for a run whose write failed. After trouble of a service the write
 * may have taken effect: the sweep decides.
 */
export async function releaseFailedClaim(
  run: Pick<RunRecord, 'workspace_id' | 'id'>,
  claimedAt: number,
  error: unknown,
): Promise<void> {
  if (isServiceTrouble(error)) return;
  await releaseLostClaim(run, await runs.get(run.workspace_id, run.id), claimedAt);
}

// The maximum cost of a run, checked before every model call (rules.md: usage 7).
import type { RunError } from '#contract/events.ts';
import type { RunConfig } from '#contract/runs.ts';
import { runError } from '#domain/runs/run-error.ts';
import { picoToUsd, usdToPico } from '#models/pricing.ts';

/** The run has cost as much as its config allows, so no further model call is made. */
export class CostLimitReached extends Error {
  readonly limit_usd: number;
  readonly spent_usd: number;
  constructor(limit_usd: number, spent_usd: number) {
    super('The run has cost as much as config.max_cost_usd allows.');
    this.name = 'CostLimitReached';
    this.limit_usd = limit_usd;
    this.spent_usd = spent_usd;
  }
}

/** Throws CostLimitReached if a run that has cost this much (1e-12 USD) may make no further call. */
export function checkCostLimit({ max_cost_usd }: RunConfig, spentPico: bigint): void {
  // Even with the smallest limit a run can start.
  if (max_cost_usd === undefined || spentPico === 0n || spentPico < usdToPico(max_cost_usd)) return;
  throw new CostLimitReached(max_cost_usd, picoToUsd(spentPico));
}

/** The error of the run at the step of this index; undefined: it has no steps yet. */
export function costLimitFailure(
  { message, limit_usd, spent_usd }: CostLimitReached,
  step_index?: number,
): RunError {
  const details = { limit_usd, spent_usd, ...(step_index !== undefined && { step_index }) };
  return runError('cost_threshold_exceeded', { message, details });
}

// What a run, its workspace and its key may spend, and the run's deadline, checked before every model call (rules.md:
// usage 7, capacity 2, deadlines 2).
import type { RunError } from '#contract/events.ts';
import type { RunConfig } from '#contract/runs.ts';
import { reachedCap } from '#domain/billing/daily-caps.ts';
import { overdue } from '#domain/runs/deadlines.ts';
import { runError } from '#domain/runs/run-error.ts';
import { picoToUsd, usdToPico } from '#models/pricing.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { type Day, readDay } from '#store/workspaces/day-limits.ts';

/** A limit is reached, so no further model call is made. */
export class LimitReached extends Error {
  /** The error of the run at the step of this index; undefined: it has no steps yet. */
  readonly errorAt: (stepIndex?: number) => RunError;
  constructor(errorAt: (stepIndex?: number) => RunError) {
    super(errorAt().message);
    this.name = 'LimitReached';
    this.errorAt = errorAt;
  }
}

/** The limit on the money of a run, its workspace or its key. */
function spendingLimit(reached: Pick<RunError, 'code' | 'details'> & { message?: string }): LimitReached {
  return new LimitReached((step_index) =>
    runError(reached.code, {
      ...(reached.message !== undefined && { message: reached.message }),
      details: { ...reached.details, ...(step_index !== undefined && { step_index }) },
    }),
  );
}

/** Throws LimitReached if the run has reached its deadline: no call begins after it. */
export function checkDeadline(run: RunRecord): void {
  const late = overdue(run, Date.now());
  if (late) throw new LimitReached(late.errorAt);
}

/** Throws LimitReached if a run that has cost this much (1e-12 USD) may make no further call. */
export function checkCostLimit({ max_cost_usd }: RunConfig, spentPico: bigint): void {
  // Even with the smallest limit a run can start.
  if (max_cost_usd === undefined || spentPico === 0n || spentPico < usdToPico(max_cost_usd)) return;
  throw spendingLimit({
    code: 'cost_threshold_exceeded',
    message: 'The run has cost as much as config.max_cost_usd allows.',
    details: { limit_usd: max_cost_usd, spent_usd: picoToUsd(spentPico) },
  });
}

/** With a commit within a second of each reply, the day is known as of at most two seconds ago. */
const FRESH_MS = 1000;

/**
 * Throws LimitReached if the workspace or the key of a run has spent its day. `run` is the run as last committed, whose
 * cost the day includes; `costPico` what it has cost with every reply so far, 1e-12 USD.
 */
export type DayCheck = (run: RunRecord, costPico: bigint) => Promise<void>;

/** The check of one slice. `first` is the day as read together with `run`; it is read again at most once a second. */
export function createDayCheck(run: RunRecord, first: Day | undefined): DayCheck {
  const withCost = ({ spent }: RunRecord, day: Day | undefined) =>
    day && { ...day, counted: BigInt(spent.cost_pico_usd) };
  let readAt = Date.now();
  let latest = Promise.resolve(withCost(run, first));
  return async (current, costPico) => {
    if (Date.now() - readAt >= FRESH_MS) {
      readAt = Date.now();
      latest = readDay(current, readAt).then((day) => withCost(current, day));
    }
    const day = await latest;
    if (!day) return;
    const uncommitted = costPico - day.counted;
    const spent = {
      workspace: day.spent.workspace + uncommitted,
      key: day.spent.key + uncommitted,
      above: (day.spent.above ?? []).map((one) => one + uncommitted),
    };
    const reached = reachedCap(day.caps, spent, Date.now());
    if (reached) throw spendingLimit(reached);
  };
}

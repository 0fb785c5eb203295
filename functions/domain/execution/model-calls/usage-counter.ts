// Counts what the model calls of one step use and cost, and how much of it no commit of the run has counted yet.
import type { PriceTable } from '#contract/models.ts';
import { type CountedUsage, uncountedUsage } from '#domain/billing/uncounted-usage.ts';
import { add, spentOn, subtract, total } from '#domain/billing/usage.ts';
import type { TokenUsage } from '#models/model.ts';
import { priceOf } from '#models/pricing.ts';
import type { JournaledCall } from '#store/runs/journal.ts';
import { nothingSpent, type RunRecord, type Spent } from '#store/runs/run-record.ts';
import { checkCostLimit } from './spending-limits.ts';

export interface UsageCounter {
  /** How many replies of the step reported no usage or have no price, journaled ones included. */
  readonly unpriced: number;
  /** What the run has cost with every reply so far, 1e-12 USD. */
  readonly cost: bigint;
  /** Usage outside the journal that no commit has counted. */
  readonly direct: Spent;
  /** Throws LimitReached if the run may make no further call. */
  checkLimit(): void;
  /**
   * Starts a physical call; returns how many the step started before it, over slices and resumes. Throws LimitReached.
   */
  startCall(): number;
  /** The usage and cost of a reply of a model, also in place of another one, added to the cost of the run. */
  meter(usage: TokenUsage | null, model: string, instead_of?: string): Spent;
  /** Counts a reply that is not in the journal. */
  countDirect(spent: Spent): void;
  /** The journal has a call that was counted outside it, with all that `direct` was. */
  moveToJournal(call: JournaledCall): void;
  /** What a commit counts on the run: all direct usage, and the journal. It may be decided again. */
  uncounted(run: RunRecord): CountedUsage & { change: Pick<RunRecord, 'calls_tried'> };
  /** What a commit outside the lease counts, with this journal, if any. */
  unsettled(run: RunRecord, journal: Iterable<JournaledCall> | undefined): CountedUsage;
  /** Removes the direct usage of the last commit, which has counted it. */
  markCounted(): void;
}

/** A counter for one step of a run in one invocation, and its journal, which grows with each call. */
export function createUsageCounter(
  prices: PriceTable,
  journal: Map<number, JournaledCall>,
  run: RunRecord,
): UsageCounter {
  const { owner } = run;
  let direct = nothingSpent;
  // The part of it that the last commit counts.
  let sent = nothingSpent;
  let unpricedDirect = 0;
  let calls_tried = run.calls_tried ?? 0;
  const known = uncountedUsage(run, journal.values(), { spent: nothingSpent, owner });
  let cost = BigInt(known.change.spent.cost_pico_usd);
  const checkLimit = () => checkCostLimit(run.config, cost);
  const unsettled = (run: RunRecord, calls: Iterable<JournaledCall> | undefined) => {
    sent = direct;
    return uncountedUsage(run, calls, { spent: direct, owner });
  };
  return {
    get unpriced() {
      return unpricedDirect + total([...journal.values()].map((call) => call.spent)).unpriced_calls;
    },
    get cost() {
      return cost;
    },
    get direct() {
      return direct;
    },
    checkLimit,
    startCall() {
      checkLimit();
      calls_tried += 1;
      return calls_tried - 1;
    },
    meter(usage, model, instead_of) {
      const spent = spentOn(usage, priceOf(prices, model), { model, instead_of });
      cost += BigInt(spent.cost_pico_usd);
      return spent;
    },
    countDirect(spent) {
      direct = add(direct, spent);
      unpricedDirect += spent.unpriced_calls;
    },
    moveToJournal(call) {
      journal.set(call.call, call);
      direct = subtract(direct, call.spent);
      unpricedDirect -= call.spent.unpriced_calls;
    },
    uncounted(run) {
      const { change, cost } = unsettled(run, journal.values());
      return { change: { ...change, calls_tried }, cost };
    },
    unsettled,
    markCounted() {
      direct = subtract(direct, sent);
      sent = nothingSpent;
    },
  };
}

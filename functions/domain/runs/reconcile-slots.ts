// The slots of a workspace, including stale ones: left by a crash between the end of a run and its finalization, or by
// a create that died.
import { readCounters } from '#store/money/counters.ts';
import { releaseSlot } from '#store/money/slots.ts';
import * as runs from '#store/runs/runs.ts';

/** A claim whose run was never written is released after this long. */
const ABANDONED_MS = 2 * 60 * 1000;

interface Slot {
  run_id: string;
  /** Credits that it reserves. */
  held: number;
  /** The time of its claim, epoch ms. */
  at: number;
}

export interface Slots {
  in_flight: Slot[];
  /**
   * Slots of ended runs and dead creates, with the credits used and the end of the run if the claim was made before it.
   */
  stale: (Slot & { used: number; until?: number | undefined })[];
  /** Credits neither used nor reserved; undefined if runs draw none. */
  credits_free: number | undefined;
  /** Whether ledger entries wait for separate items. */
  ledger_pending: boolean;
}

/**
 * How many slots a request checks, oldest first: its cost must not grow with the runs in flight. The sweep checks all.
 */
const CHECKED_MAX = 200;

/**
 * The current slots; unchecked ones count as in flight. A claim newer than the end of its run belongs to a resume in
 * progress and counts as in flight until it is old.
 */
export async function readSlots(workspaceId: string, checkedMax = CHECKED_MAX): Promise<Slots> {
  const { slots, credits_free, noted } = await readCounters(workspaceId);
  const byAge = Object.entries(slots).toSorted(([, a], [, b]) => a.at - b.at);
  const asked = byAge.slice(0, checkedMax).map(([run_id]) => run_id);
  const ends = new Map((await runs.timesOf(workspaceId, asked)).map((end) => [end.id, end]));
  const now = Date.now();
  const all = byAge.map(([run_id, { held, at }], i) => {
    const end = ends.get(run_id);
    return { run_id, held, at, ...usedBy(end, at), stale: i < checkedMax && isStale(end, at, now) };
  });
  return {
    in_flight: all.filter(({ stale }) => !stale),
    stale: all.filter(({ stale }) => stale),
    credits_free,
    ledger_pending: noted.length > 0,
  };
}

/**
 * Releases the slots of ended runs and dead creates; returns how many, how many remain in flight, and whether ledger
 * entries are pending.
 */
export async function reconcileSlots(
  workspaceId: string,
  checkedMax = CHECKED_MAX,
): Promise<{ released: number; in_flight: number; ledger_pending: boolean }> {
  const { stale, in_flight, ledger_pending } = await readSlots(workspaceId, checkedMax);
  await Promise.all(
    stale.map(({ run_id, at, used, until }) =>
      releaseSlot(workspaceId, run_id, used, { until, claimed_at: at }),
    ),
  );
  return {
    released: stale.length,
    in_flight: in_flight.length,
    // A release may have added one.
    ledger_pending: ledger_pending || stale.length > 0,
  };
}

function isStale(end: runs.RunTimes | undefined, claimedAt: number, now: number): boolean {
  const abandoned = now - claimedAt > ABANDONED_MS;
  if (!end) return abandoned;
  // The log of a running or resumed run is not finished.
  if (!end.log_finished) return false;
  return abandoned || claimedAt <= (end.completed_at ?? 0);
}

/** A claim made after the end covers nothing that the run used. */
function usedBy(end: runs.RunTimes | undefined, claimedAt: number): { used: number; until?: number } {
  const until = end?.completed_at ?? 0;
  return claimedAt <= until ? { used: end?.credits_used ?? 0, until } : { used: 0 };
}

// Slots that outlived their runs: left by a crash between the end of a run and its settlement, or by a create that died.

import { readCounters, releaseSlot } from '#store/counters.ts';
import { getMany, type RunRecord } from '#store/runs.ts';
import { isTerminal } from './lifecycle.ts';

/** A claim whose run was never written is given up after this long. */
const ABANDONED_MS = 2 * 60 * 1000;

/**
 * Releases what finished runs and dead creates still hold. A claim newer than the end of its run belongs to a resume that is
 * under way, and is spared until it is old. Returns how many were released, which runs are in flight, and whether changes of credits wait
 * for their place in the ledger.
 */
export async function reconcileSlots(
  workspaceId: string,
): Promise<{ released: number; in_flight: string[]; noted: boolean }> {
  const { slots, noted } = await readCounters(workspaceId);
  const runs = new Map((await getMany(workspaceId, Object.keys(slots))).map((run) => [run.id, run]));
  const stale = Object.entries(slots).filter(([id, slot]) => isLeft(runs.get(id), slot.at, Date.now()));
  await Promise.all(stale.map(([id, slot]) => releaseSlot(workspaceId, id, usedBy(runs.get(id), slot.at))));
  const released = new Set(stale.map(([id]) => id));
  const in_flight = Object.keys(slots).filter((id) => !released.has(id));
  return { released: released.size, in_flight, noted: noted.length > 0 };
}

function isLeft(run: RunRecord | undefined, claimedAt: number, now: number): boolean {
  const abandoned = now - claimedAt > ABANDONED_MS;
  if (!run) return abandoned;
  if (!isTerminal(run) || !run.log_finished) return false;
  return abandoned || claimedAt <= (run.completed_at ?? 0);
}

/** A claim made after the end is for nothing that the run used. */
function usedBy(run: RunRecord | undefined, claimedAt: number): number {
  return run && claimedAt <= (run.completed_at ?? 0) ? (run.credits_used ?? 0) : 0;
}

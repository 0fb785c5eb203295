// Slots that outlived their runs: left by a crash between the end of a run and its finalization, or by a create that died.
import { readCounters, releaseSlot } from '#store/counters.ts';
import type { RunRecord } from '#store/runs.ts';
import * as runs from '#store/runs.ts';
import { isTerminal } from './lifecycle.ts';

/** A claim whose run was never written is released after this long. */
const ABANDONED_MS = 2 * 60 * 1000;

/**
 * Releases the slots of ended runs and dead creates. A claim newer than the end of its run belongs to a resume in progress and is kept
 * until it is old. Returns how many were released, the runs in flight, and whether ledger entries are pending.
 */
export async function reconcileSlots(
  workspaceId: string,
): Promise<{ released: number; in_flight: string[]; ledger_pending: boolean }> {
  const { slots, noted } = await readCounters(workspaceId);
  const known = new Map((await runs.getMany(workspaceId, Object.keys(slots))).map((run) => [run.id, run]));
  const stale = Object.entries(slots).filter(([id, slot]) => isStale(known.get(id), slot.at, Date.now()));
  await Promise.all(stale.map(([id, slot]) => releaseSlot(workspaceId, id, usedBy(known.get(id), slot.at))));
  const released = new Set(stale.map(([id]) => id));
  const in_flight = Object.keys(slots).filter((id) => !released.has(id));
  return { released: released.size, in_flight, ledger_pending: noted.length > 0 };
}

function isStale(run: RunRecord | undefined, claimedAt: number, now: number): boolean {
  const abandoned = now - claimedAt > ABANDONED_MS;
  if (!run) return abandoned;
  if (!isTerminal(run) || !run.log_finished) return false;
  return abandoned || claimedAt <= (run.completed_at ?? 0);
}

/** A claim made after the end covers nothing that the run used. */
function usedBy(run: RunRecord | undefined, claimedAt: number): number {
  return run && claimedAt <= (run.completed_at ?? 0) ? (run.credits_used ?? 0) : 0;
}

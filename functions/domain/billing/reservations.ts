// Giving back what an ended run held.
import { releaseExpectedSlot } from '#store/counters.ts';
import type { RunRecord } from '#store/runs.ts';

/** Releases the slot of an ended run and the credits that it held and did not use. Safe to repeat. */
export function releaseOf(run: RunRecord): Promise<void> {
  return releaseExpectedSlot(run.workspace_id, run.id, {
    held: run.credits_at_most,
    used: run.credits_used ?? 0,
    // A claim made after the end is a resume's.
    until: run.completed_at ?? 0,
  });
}

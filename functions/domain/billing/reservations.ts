// Releasing what an ended run had reserved.
import type { RunRecord } from '#store/runs.ts';
import { releaseExpectedSlot } from '#store/slots.ts';

/** Releases the slot of an ended run and the reserved credits that it did not use. Safe to repeat. */
export function releaseReservation(run: RunRecord): Promise<void> {
  return releaseExpectedSlot(run.workspace_id, run.id, {
    reserved: run.credits_at_most,
    used: run.credits_used ?? 0,
    // A claim made after the end belongs to a resume.
    until: run.completed_at ?? 0,
  });
}

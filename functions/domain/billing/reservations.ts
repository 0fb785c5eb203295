// Releasing what an ended run had reserved.
import type { RunRecord } from '#store/runs.ts';
import { slotEnd } from '#store/runs.ts';
import { releaseExpectedSlot } from '#store/slots.ts';

/** Releases the slot of an ended run and the reserved credits that it did not use, unless its last commit did. Safe to repeat. */
export async function releaseReservation(run: RunRecord): Promise<void> {
  if (!run.slot_released) await releaseExpectedSlot(run.workspace_id, run.id, slotEnd(run));
}

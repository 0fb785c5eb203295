// Releasing what an ended run had reserved.
import { releaseExpectedSlot } from '#store/money/slots.ts';
import type { EndedRun } from '#store/runs/run-record.ts';
import { slotEnd } from '#store/runs/runs.ts';

/** Releases the slot and the unused credits of an ended run, unless its last commit did. Safe to repeat. */
export async function releaseReservation(run: EndedRun): Promise<void> {
  if (!run.slot_released) await releaseExpectedSlot(run.workspace_id, run.id, slotEnd(run));
}

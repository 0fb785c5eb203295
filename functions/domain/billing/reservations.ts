// Releasing what an ended run had reserved.

import { releaseExpectedSlot } from '#store/money/slots.ts';
import type { EndedRun } from '#store/runs/runs.ts';
import { slotEnd } from '#store/runs/runs.ts';

/** Releases the slot of an ended run and the reserved credits that it did not use, unless its last commit did. Safe to repeat. */
export async function releaseReservation(run: EndedRun): Promise<void> {
  if (!run.slot_released) await releaseExpectedSlot(run.workspace_id, run.id, slotEnd(run));
}

// Releasing what an ended run had reserved.
import { releaseExpectedSlot } from '#store/money/slots.ts';
import type { EndedRun } from '#store/runs/run-record.ts';

/** Releases the slot and the unused credits of an ended run. Safe to repeat. */
export async function releaseReservation(run: EndedRun): Promise<void> {
  const { workspace_id, id, credits_at_most, credits_used, completed_at } = run;
  // A claim made after the end belongs to a resume.
  const end = { reserved: credits_at_most, used: credits_used ?? 0, until: completed_at };
  await releaseExpectedSlot(workspace_id, id, end);
}

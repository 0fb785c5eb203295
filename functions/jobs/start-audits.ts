// Runs every night: has the record indexes of a seventh of the workspaces compared with the table.
import { enqueueAudits } from '#domain/records/enqueue-audits.ts';

/** Queues the audits and returns how many. */
export async function handler(): Promise<{ audits_queued: number }> {
  return { audits_queued: await enqueueAudits(Date.now()) };
}

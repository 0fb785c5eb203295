// Workspaces whose records are due for a compaction: the sweep queues a job for each.
import { enqueueCompaction } from '#orchestration/record-queues.ts';
import { postpone } from '#store/table/due.ts';
import { due, workspaceOfPartition } from '#store/table/table-keys.ts';
import { type Repairs, repairDue, type SweepTime } from './repair-due.ts';

/** How long a compaction job is left to the queue before it counts as lost. */
const PATIENCE_MS = 15 * 60_000;

/**
 * Queues a compaction for every workspace that is due. Duplicate jobs are harmless, because compactions are claimed.
 */
export function enqueueCompactions(time: SweepTime): Promise<Repairs> {
  return repairDue(due.records, time, async (item) => {
    await enqueueCompaction(workspaceOfPartition(item.pk));
    await postpone(item, time.now + PATIENCE_MS);
    return { compactions_queued: 1 };
  });
}

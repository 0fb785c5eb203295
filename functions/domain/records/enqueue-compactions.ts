// Workspaces whose records are due for a compaction: the sweep queues a job for each.
import { enqueueRecordJob } from '#orchestration/record-queue.ts';
import { settleAll } from '#platform/settle-all.ts';
import { dueRecords } from '#store/due.ts';
import { postpone } from '#store/record-heads.ts';

/** More of them wait for the next sweep. */
const MAX_AT_ONCE = 1000;
const IN_PARALLEL = 20;
/** How long a workspace is left to the queue before its job counts as lost. */
const PATIENCE_MS = 15 * 60_000;

/**
 * Queues a compaction for every workspace that was due before `nowMs`; returns how many. A job too many is harmless, because
 * compactions are claimed. Throws the first failure after all workspaces were tried.
 */
export async function enqueueCompactions(nowMs: number): Promise<number> {
  const due = await dueRecords(nowMs, MAX_AT_ONCE);
  await settleAll(due, IN_PARALLEL, async (workspace_id) => {
    await enqueueRecordJob({ workspace_id, job: 'compact' });
    await postpone(workspace_id, nowMs, nowMs + PATIENCE_MS);
  });
  return due.length;
}

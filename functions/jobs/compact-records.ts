// Handler of the queue of record jobs: compacts or audits the index of a workspace, and counts what operators need to
// know.
import { type Audit, auditRecords } from '#domain/records/audit-records.ts';
import { type Compaction, compactRecords } from '#domain/records/compact-records.ts';
import { forgetIndex } from '#domain/records/follow-table.ts';
import { snapshotsLast } from '#domain/records/snapshot.ts';
import { queueHandler } from '#edge/queue-handler.ts';
import { RecordJob } from '#orchestration/record-queue.ts';
import { log } from '#platform/log.ts';
import { count } from '#platform/metrics.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';

/** Outcomes that are counted, and the metrics' names. */
const counted: Partial<Record<Compaction | Audit | 'gone', string>> = {
  saved: 'record_snapshot_saved',
  different: 'record_index_different',
};

/** Does the job of each message. A failed job is retried. */
export const handler = queueHandler(async (message) => {
  const job = RecordJob.parse(message);
  try {
    const outcome = await carryOut(job);
    log.info('record job', { ...job, outcome });
    const metric = counted[outcome];
    if (metric) count(metric);
    return true;
  } catch (error) {
    count('record_job_failed');
    throw error;
  } finally {
    // The next job starts from the snapshot, as readers do: an audit must check exactly that.
    if (snapshotsLast()) await forgetIndex(job.workspace_id);
  }
});

async function carryOut({ workspace_id, job }: RecordJob): Promise<Compaction | Audit | 'gone'> {
  const workspace = await workspaces.get(workspace_id);
  // A workspace that is being purged must not be written to.
  if (!workspace || workspace.closed_at !== undefined) return 'gone';
  return job === 'compact' ? compactRecords(workspace_id, Date.now()) : auditRecords(workspace_id);
}

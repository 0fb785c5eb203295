// Handler of the queue of record jobs: compacts or audits the index of a workspace, and counts what
// operators must know.
import { type Audit, auditRecords } from '#domain/records/audit-records.ts';
import { type Compaction, compactRecords } from '#domain/records/compact-records.ts';
import { releaseIndex } from '#domain/records/index-home.ts';
import { queueHandler } from '#edge/queue-handler.ts';
import { RecordJob } from '#orchestration/record-queue.ts';
import { describe, log } from '#platform/log.ts';
import { count } from '#platform/metrics.ts';
import { scheduleCompaction } from '#store/records/record-heads.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';

/** Outcomes that are counted, and the metrics' names. */
const counted: Partial<Record<Compaction | Audit | 'gone', string>> = {
  saved: 'record_snapshot_saved',
  different: 'record_index_different',
};

/** A compaction that failed is due again after this time: its message would come back after an hour and a half. */
const AGAIN_MS = 60_000;

/** Performs the job of each message; SQS redelivers an audit that fails. */
export const handler = queueHandler(async (message) => {
  const job = RecordJob.parse(message);
  try {
    const outcome = await carryOut(job);
    log.info('record job', { ...job, outcome });
    const metric = counted[outcome];
    if (metric) count(metric);
  } catch (error) {
    count('record_job_failed');
    if (job.job === 'audit') throw error;
    log.error('compaction failed', { ...job, error: describe(error) });
    await scheduleCompaction(job.workspace_id, Date.now() + AGAIN_MS);
    // The file stays: the next compaction here goes on with a build that ran out of time.
    return true;
  }
  await releaseIndex(job.workspace_id);
  return true;
});

async function carryOut({ workspace_id, job }: RecordJob): Promise<Compaction | Audit | 'gone'> {
  const workspace = await workspaces.get(workspace_id);
  // Nothing may write to a workspace that is being purged.
  if (!workspace || workspace.closed_at !== undefined) return 'gone';
  return job === 'compact' ? compactRecords(workspace_id, Date.now()) : auditRecords(workspace_id);
}

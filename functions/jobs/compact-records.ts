// Handler of the queue of compactions: compacts the record index of a workspace, and counts what operators must know.
import { compactRecords } from '#domain/records/compact-index.ts';
import { releaseIndex } from '#domain/records/index-home.ts';
import { queueHandler } from '#edge/queue-handler.ts';
import { RecordJob } from '#orchestration/record-queues.ts';
import { count } from '#platform/count-metrics.ts';
import { describe, log } from '#platform/log.ts';
import { scheduleCompaction } from '#store/records/record-heads.ts';
import { mayWrite } from '#store/workspaces/workspaces.ts';

/** A compaction that failed is due again after this time: its message would come back after an hour and a half. */
const AGAIN_MS = 60_000;

/** Compacts the index of each message's workspace; one that fails is due again, so its message is done. */
export const handler = queueHandler(async (message) => {
  const { workspace_id } = RecordJob.parse(message);
  try {
    const outcome = (await mayWrite(workspace_id)) ? await compactRecords(workspace_id, Date.now()) : 'gone';
    log.info('compaction', { workspace_id, outcome });
    if (outcome === 'saved') count('record_snapshot_saved');
  } catch (error) {
    count('record_job_failed');
    log.error('compaction failed', { workspace_id, error: describe(error) });
    await scheduleCompaction(workspace_id, Date.now() + AGAIN_MS);
    // The file stays: the next compaction here goes on with a build that ran out of time.
    return true;
  }
  await releaseIndex(workspace_id);
  return true;
});

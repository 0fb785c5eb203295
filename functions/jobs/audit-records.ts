// Handler of the queue of audits: compares the record index of a workspace with the table, and counts a difference.
import { auditRecords } from '#domain/records/audit-index.ts';
import { releaseIndex } from '#domain/records/index-home.ts';
import { queueHandler } from '#edge/queue-handler.ts';
import { RecordJob } from '#orchestration/record-queues.ts';
import { count } from '#platform/count-metrics.ts';
import { log } from '#platform/log.ts';
import { mayWrite } from '#store/workspaces/workspaces.ts';

/** Audits the index of each message's workspace; SQS redelivers what fails. */
export const handler = queueHandler(async (message) => {
  const { workspace_id } = RecordJob.parse(message);
  try {
    const outcome = (await mayWrite(workspace_id)) ? await auditRecords(workspace_id) : 'gone';
    log.info('audit', { workspace_id, outcome });
    if (outcome === 'different') count('record_index_different');
    return true;
  } catch (error) {
    count('record_job_failed');
    throw error;
  } finally {
    await releaseIndex(workspace_id);
  }
});

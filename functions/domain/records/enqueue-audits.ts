// The nightly audit: a job for every workspace whose records have an index.
import { enqueueRecordJob } from '#orchestration/record-queue.ts';
import { settleAll } from '#platform/settle-all.ts';
import { withHead } from '#store/records/record-heads.ts';
import { idPage } from '#store/workspaces/workspaces.ts';

const IN_PARALLEL = 20;

/** Queues an audit for each workspace that has an index, a page at a time; returns how many. */
export async function enqueueAudits(): Promise<number> {
  let queued = 0;
  let after: string | undefined;
  do {
    const page = await idPage(after);
    const indexed = await withHead(page.ids);
    await settleAll(indexed, IN_PARALLEL, (workspace_id) => enqueueRecordJob({ workspace_id, job: 'audit' }));
    queued += indexed.length;
    after = page.next;
  } while (after !== undefined);
  return queued;
}

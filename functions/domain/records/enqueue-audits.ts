// The nightly audits: a job for the workspaces of the night whose records have an index.
import { enqueueAudit } from '#orchestration/record-queues.ts';
import { settleAll } from '#platform/settle-all.ts';
import { withHead } from '#store/records/record-heads.ts';
import { idPage } from '#store/workspaces/workspaces.ts';

const IN_PARALLEL = 20;
const DAY_MS = 24 * 3600 * 1000;
/** Each workspace has its night of the week. */
const NIGHTS = 7;

/**
 * Queues an audit for each workspace of the night of `nowMs` that has an index, a page at a time; returns how many.
 */
export async function enqueueAudits(nowMs: number): Promise<number> {
  let queued = 0;
  let after: string | undefined;
  do {
    const page = await idPage(after);
    const indexed = await withHead(
      page.ids.filter((id) => nightOf(id) === Math.floor(nowMs / DAY_MS) % NIGHTS),
    );
    await settleAll(indexed, IN_PARALLEL, enqueueAudit);
    queued += indexed.length;
    after = page.next;
  } while (after !== undefined);
  return queued;
}

/** Ids are random, so their first digits spread the workspaces over the week. */
const nightOf = (workspaceId: string) => Number.parseInt(workspaceId.slice(0, 8), 16) % NIGHTS;

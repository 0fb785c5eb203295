// An import brings the index along, so that the first answer after it need not wait until the index has taken in everything.
import { describe, log } from '#platform/log.ts';
import * as heads from '#store/record-heads.ts';
import { currentIndex } from './follow-table.ts';
import { snapshotsLast } from './snapshot.ts';

/** A part of an import waits no longer than this; the next one goes on where the index has come to. */
const BUDGET_MS = 5000;

/**
 * Where files of indexes last, has the index of a workspace take in what was written; elsewhere asks for a compaction by the next sweep.
 * Never throws: the records are written, and whoever reads next follows the table.
 */
export async function keepUp(workspaceId: string): Promise<void> {
  try {
    if (snapshotsLast()) await heads.makeDue(workspaceId, Date.now());
    else await currentIndex(workspaceId, BUDGET_MS);
  } catch (error) {
    log.warn('the index did not keep up', { workspace_id: workspaceId, error: describe(error) });
  }
}

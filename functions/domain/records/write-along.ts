// An import brings the index along, so that the first answer after it need not wait until the index has taken in everything.
import { describe, log } from '#platform/log.ts';
import { type IndexChanges, noChanges } from '#record-index/apply.ts';
import { onIndex } from '#record-index/record-index.ts';
import * as heads from '#store/records/record-heads.ts';
import { currentIndex, fileOf, OVERLAP_MS } from './follow-table.ts';
import { snapshotsLast } from './snapshot.ts';

/** A part of an import waits no longer than this; the next one goes on where the index has come to. */
const BUDGET_MS = 5000;
/** An index whose cursor is further behind follows the table again: its readers look at every change since then. */
const BEHIND_MS = 2 * OVERLAP_MS;

/** What was written: everything as it is now in the table, and the names of its changes. */
interface Written {
  changes: Partial<IndexChanges>;
  applied: string[];
}

/**
 * Has the index of a workspace take in what `write` writes. Where files of indexes do not last, the next sweep is asked for a compaction
 * instead. Throws only what `write` throws: once the records are written, whoever reads next follows the table.
 */
export async function writeAlong(workspaceId: string, write: () => Promise<Written>): Promise<void> {
  // Read before the table is written: if somebody wrote the same records later, and the index has that already, ours is older.
  const revision = await attempt(workspaceId, () => revisionBefore(workspaceId));
  const written = await write();
  await attempt(workspaceId, async () => {
    if (snapshotsLast()) await heads.makeDue(workspaceId, Date.now());
    else if (!(await takeIn(workspaceId, revision, written))) await currentIndex(workspaceId, BUDGET_MS);
  });
}

async function attempt<T>(workspaceId: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    log.warn('the index did not keep up', { workspace_id: workspaceId, error: describe(error) });
    return undefined;
  }
}

/** The revision of an index that is built and close behind the table. */
async function revisionBefore(workspaceId: string): Promise<number | undefined> {
  if (snapshotsLast()) return undefined;
  const { incarnation, cursor_ms, revision } = await onIndex(fileOf(workspaceId), 'state');
  return incarnation !== undefined && Date.now() - cursor_ms < BEHIND_MS ? revision : undefined;
}

/** Applies what was written without reading it back; false when the index must follow the table. */
async function takeIn(
  workspaceId: string,
  revision: number | undefined,
  { changes, applied }: Written,
): Promise<boolean> {
  if (revision === undefined) return false;
  const update = { revision, changes: { ...noChanges, ...changes }, applied };
  return onIndex(fileOf(workspaceId), 'update', update);
}

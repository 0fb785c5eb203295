// Where index files live. Here each function has its own disk, which is lost with it, and snapshots last in the bucket.
// The local build, whose functions share a disk that lasts, replaces this module.
import type { EntityRef } from '#contract/entities.ts';
import type { Holder, RecordName } from '#contract/record-queries.ts';
import { describe, log } from '#platform/log.ts';
import type { IndexChanges } from '#record-index/apply.ts';
import { removeIndex } from '#record-index/record-index.ts';
import * as heads from '#store/records/record-heads.ts';
import { indexFile } from './index-disk.ts';

/**
 * A compaction saves a snapshot of at least this many records. A reader builds a smaller index faster from the table.
 */
export const SNAPSHOT_MIN_RECORDS = 2000;

/**
 * Readers share what they read of a second whose changes name at least this many ids. An object in the bucket costs as
 * much as reading about ten of them.
 */
export const SHARED_MIN_IDS = 200;

/** What an import wrote: the present state of its records and relationships, and the names of its changes. */
export interface ImportedChanges {
  changes: Partial<IndexChanges>;
  applied: string[];
}

/**
 * Writes an import and requests a compaction, so that the next readers need not catch up with all of it. Throws only
 * what `write` throws: once the records are written, the next reader follows the table in any case.
 */
export async function writeImport(workspaceId: string, write: () => Promise<ImportedChanges>): Promise<void> {
  await write();
  try {
    await heads.scheduleCompaction(workspaceId, Date.now());
  } catch (error) {
    log.warn('no compaction requested', { workspace_id: workspaceId, error: describe(error) });
  }
}

/**
 * The ids of the records that the index finds for references of an import: none, because the table replies before an
 * index is restored.
 */
export async function idsInIndex(_workspaceId: string, _refs: EntityRef[]): Promise<(string | undefined)[]> {
  return [];
}

/** The records that have each name, as the index finds them; undefined where the table must be asked: always. */
export async function holdersInIndex(
  _workspaceId: string,
  _names: RecordName[],
): Promise<Holder[][] | undefined> {
  return undefined;
}

/**
 * Ends the use of an index by a record job. The next job starts from the snapshot, as readers do: that is what an audit
 * must check.
 */
export async function releaseIndex(workspaceId: string): Promise<void> {
  await removeIndex(indexFile(workspaceId));
}

// Replaces functions/domain/records/index-home.ts: all functions share the data folder, whose index files last and need
// no snapshots.
import type { EntityRef } from '#contract/entities.ts';
import type { Holder, RecordName } from '#contract/record-queries.ts';
import { OVERLAP_MS } from '#domain/records/catch-up.ts';
import { currentIndex } from '#domain/records/current-index.ts';
import { indexFile } from '#domain/records/index-disk.ts';
import type { ImportedChanges } from '#domain/records/index-home.ts';
import { describe, log } from '#platform/log.ts';
import { noChanges } from '#record-index/apply.ts';
import { onIndex } from '#record-index/record-index.ts';
import { newReading } from '#store/records/changes.ts';

/** No index is large enough for a snapshot: its file lasts. */
export const SNAPSHOT_MIN_RECORDS = Number.POSITIVE_INFINITY;

/** Readers share nothing through the bucket: they use the same file. */
export const SHARED_MIN_IDS = Number.POSITIVE_INFINITY;

/** How long an import waits for its index. The next part of the import continues where the index ended. */
const IMPORT_WAIT_MS = 5000;
/** An index whose cursor is older than this follows the table: its readers would check every change since then. */
const BEHIND_MS = 2 * OVERLAP_MS;

/**
 * Writes an import and applies it to the index, so that the next reader need not wait for that. Throws only what
 * `write` throws: once the records are written, the next reader follows the table in any case.
 */
export async function writeImport(workspaceId: string, write: () => Promise<ImportedChanges>): Promise<void> {
  // Read the revision before the table is written: if another process writes the same records later and the index has
  // applied that already, our copy is stale.
  const revision = await attempt(workspaceId, () => currentRevision(workspaceId));
  const written = await write();
  await attempt(workspaceId, async () => {
    if (!(await applyImport(workspaceId, revision, written))) await currentIndex(workspaceId, IMPORT_WAIT_MS);
  });
}

/** For each reference the id of the one record that it names; undefined where the table must be asked. */
export async function idsInIndex(workspaceId: string, refs: EntityRef[]): Promise<(string | undefined)[]> {
  // The table looks up ids a hundred at a time, outside names one at a time.
  if (refs.every((ref) => 'id' in ref)) return [];
  const found = await attempt(workspaceId, async () => {
    const { file } = await currentIndex(workspaceId, IMPORT_WAIT_MS);
    return onIndex(file, 'identified', refs);
  });
  return found ?? [];
}

/** The records that have each name; undefined where the table must be asked, which looks up one name at a time. */
export async function holdersInIndex(
  workspaceId: string,
  names: RecordName[],
): Promise<Holder[][] | undefined> {
  return attempt(workspaceId, async () => {
    const { file } = await currentIndex(workspaceId, IMPORT_WAIT_MS);
    return onIndex(file, 'holders', names);
  });
}

/** The file stays for the next reader. */
export async function releaseIndex(_workspaceId: string): Promise<void> {}

async function attempt<T>(workspaceId: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    log.warn('the index is not used for an import', { workspace_id: workspaceId, error: describe(error) });
    return undefined;
  }
}

/** The revision of an index that is built and close behind the table. */
async function currentRevision(workspaceId: string): Promise<number | undefined> {
  const { incarnation, cursor_ms, revision } = await onIndex(indexFile(workspaceId), 'state');
  return incarnation !== undefined && Date.now() - cursor_ms < BEHIND_MS ? revision : undefined;
}

/** Applies what was written without reading it back; false when the index must follow the table. */
async function applyImport(
  workspaceId: string,
  revision: number | undefined,
  { changes, applied }: ImportedChanges,
): Promise<boolean> {
  if (revision === undefined) return false;
  const update = { revision, changes: { ...noChanges, ...changes }, applied, reading: newReading() };
  const file = indexFile(workspaceId);
  return onIndex(file, 'update', update);
}

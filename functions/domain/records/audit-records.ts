// The audit of a workspace's index: it must have the records of the table, with the same update times, or be rebuilt.
import { checksumOf } from '#record-index/checksum.ts';
import { onIndex } from '#record-index/record-index.ts';
import { entriesSince } from '#store/records/changes.ts';
import * as heads from '#store/records/record-heads.ts';
import { recordPage, relationshipPage } from '#store/records/record-states.ts';
import { pages } from './build-index.ts';
import { OVERLAP_MS } from './catch-up.ts';
import { currentIndex } from './current-index.ts';

const CATCH_UP_MS = 5 * 60_000;

/**
 * An active snapshot is at most this old; the audit then replaces it. Two days later its changes expire and readers
 * ignore it.
 */
const SNAPSHOT_MAX_AGE_MS = 4 * 24 * 3600 * 1000;

/** `changing`: records were written during the audit, so a difference means nothing. */
export type Audit = 'equal' | 'different' | 'changing' | 'none';

/**
 * Compares counts and a checksum of the index with the table's. The next compaction, which is requested, rebuilds an
 * index that differs; it is also requested when the snapshot is old.
 */
export async function auditRecords(workspaceId: string): Promise<Audit> {
  const head = await heads.get(workspaceId);
  if (!head) return 'none';
  const startedAt = Date.now();
  if (head.snapshot && head.snapshot.cursor_ms < startedAt - SNAPSHOT_MAX_AGE_MS)
    await heads.scheduleCompaction(workspaceId, startedAt);
  return compare(workspaceId, startedAt);
}

async function compare(workspaceId: string, startedAt: number): Promise<Audit> {
  const table = await tableFingerprint(workspaceId);
  const file = await currentIndex(workspaceId, CATCH_UP_MS);
  const index = await onIndex(file, 'fingerprint');
  if (
    index.records === table.records &&
    index.relationships === table.relationships &&
    index.checksum === table.checksum
  )
    return 'equal';
  const { entries } = await entriesSince(workspaceId, startedAt - OVERLAP_MS);
  if (entries.length > 0) return 'changing';
  await heads.renewIncarnation(workspaceId);
  await heads.scheduleCompaction(workspaceId, Date.now());
  return 'different';
}

async function tableFingerprint(workspaceId: string) {
  let checksum = 0n;
  let records = 0;
  let relationships = 0;
  for await (const page of pages((after) => recordPage(workspaceId, after))) {
    records += page.records.length;
    for (const { entity } of page.records) checksum ^= checksumOf(entity.id, entity.updated_at);
  }
  for await (const page of pages((after) => relationshipPage(workspaceId, after))) {
    relationships += page.relationships.length;
    for (const { id, updated_at } of page.relationships) checksum ^= checksumOf(id, updated_at);
  }
  return { records, relationships, checksum: checksum.toString(16) };
}

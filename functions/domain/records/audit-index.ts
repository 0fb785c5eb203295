// The audit of a workspace's index: it must have the records of the table, with the same update times, or be rebuilt.
import { checksumOf } from '#record-index/fingerprint.ts';
import { onIndex } from '#record-index/record-index.ts';
import { entriesSince } from '#store/records/changes.ts';
import * as heads from '#store/records/record-heads.ts';
import { recordPage, relationshipPage } from '#store/records/record-states.ts';
import { pages } from './build-index.ts';
import { OVERLAP_MS } from './catch-up.ts';
import { currentIndex } from './current-index.ts';

const CATCH_UP_MS = 5 * 60_000;

/**
 * `unwritten`: no change since the last audit; `changing`: records were written during the audit, so a difference means
 * nothing.
 */
export type Audit = 'equal' | 'different' | 'unwritten' | 'changing' | 'none';

/**
 * Compares counts and a checksum of the index with the table's, unless the log has no change: it keeps a week's, and
 * audits are a week apart. The next compaction, which is requested, rebuilds an index that differs.
 */
export async function auditRecords(workspaceId: string): Promise<Audit> {
  if (!(await heads.get(workspaceId))) return 'none';
  const { entries } = await entriesSince(workspaceId, 0);
  return entries.length === 0 ? 'unwritten' : compare(workspaceId, Date.now());
}

async function compare(workspaceId: string, startedAt: number): Promise<Audit> {
  const table = await tableFingerprint(workspaceId);
  const { file } = await currentIndex(workspaceId, CATCH_UP_MS, {}, ['links']);
  const index = await onIndex(file, 'fingerprint');
  if (
    index.records === table.records &&
    index.relationships === table.relationships &&
    index.checksum === table.checksum
  )
    return 'equal';
  const { entries } = await entriesSince(workspaceId, startedAt - OVERLAP_MS);
  if (entries.length > 0) return 'changing';
  await heads.renewIncarnation(workspaceId, Date.now());
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

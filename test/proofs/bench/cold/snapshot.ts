// A workspace's records as a compaction leaves them: their head in the table, their snapshot in the bucket.

import { compactRecords } from '#domain/records/compact-index.ts';
import { indexFile } from '#domain/records/index-disk.ts';
import { noChanges } from '#record-index/apply.ts';
import { onIndex, removeIndex } from '#record-index/record-index.ts';
import * as heads from '#store/records/record-heads.ts';
import { useMemoryTable } from '../../../support/memory-table/use-memory-table.ts';
import { isSelected } from './questions.ts';
import { recordsOf, type VectorRecord } from './records.ts';

const AT_ONCE = 1000;

export interface SavedRecords {
  head: heads.Head;
  /** How many records the conditions of the questions select. */
  selected: number;
}

/** Indexes records of this size without a table, and has them compacted; a small workspace gets no snapshot. */
export async function saveRecords(
  workspaceId: string,
  size: number,
  dimensions: number,
): Promise<SavedRecords> {
  useMemoryTable();
  const file = indexFile(workspaceId);
  const { incarnation } = await heads.getOrCreate(workspaceId);
  let { revision } = await onIndex(file, 'state');
  let selected = 0;
  let batch: VectorRecord[] = [];
  const write = async (end: { incarnation?: string; cursor_ms?: number } = {}) => {
    const changes = { ...noChanges, records: batch };
    const done = await onIndex(file, 'update', {
      ...{ revision, changes, applied: [], building_until: 0 },
      ...end,
    });
    if (!done) throw new Error('another process has written the index');
    revision += 1;
    batch = [];
  };
  for (const record of recordsOf(workspaceId, size, dimensions)) {
    if (isSelected(record.entity)) selected += 1;
    batch.push(record);
    if (batch.length === AT_ONCE) await write();
  }
  await write({ incarnation, cursor_ms: Date.now() });
  await compactRecords(workspaceId, Date.now());
  await removeIndex(file);
  const head = await heads.get(workspaceId);
  if (!head) throw new Error('the records have no head');
  return { head, selected };
}

// Snapshots of a record index in the bucket: compressed parts of the file, under keys that are used once.
import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { SNAPSHOTS_PREFIX } from '#contract/retention.ts';
import { newId } from '#platform/ids.ts';
import { onIndex, removeIndex } from '#record-index/record-index.ts';
import { SCHEMA_VERSION } from '#record-index/schema-version.ts';
import type { Snapshot } from '#store/records/record-heads.ts';
import { deleteObject, getBytes, putBytes } from '#store/table/object-store.ts';

/** How much of the file one part contains: the memory that a reader and a writer need. */
const PART_BYTES = 64 * 1024 * 1024;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Saves a copy of the index as the next generation; it becomes active once the head names it. */
export async function saveSnapshot(workspaceId: string, file: string, generation: number): Promise<Snapshot> {
  const copy = `${file}.${newId()}.copy`;
  const { cursor_ms, incarnation } = await onIndex(file, 'state');
  if (incarnation === undefined) throw new Error('the index was emptied before it could be saved');
  const records = await onIndex(file, 'count', { types: null });
  await onIndex(file, 'copyTo', copy);
  try {
    const parts = await uploadParts(copy, `${SNAPSHOTS_PREFIX}${workspaceId}/${generation}-${newId()}`);
    return { generation, schema: SCHEMA_VERSION, incarnation, cursor_ms, records, parts };
  } finally {
    await rm(copy, { force: true });
  }
}

async function uploadParts(copy: string, prefix: string): Promise<Snapshot['parts']> {
  const { size } = await stat(copy);
  const source = await open(copy);
  const parts: Snapshot['parts'] = [];
  try {
    for (let at = 0; at < size; at += PART_BYTES) {
      const bytes = Buffer.alloc(Math.min(PART_BYTES, size - at));
      await source.read(bytes, 0, bytes.length, at);
      const packed = Buffer.from(await compress(bytes));
      const key = `${prefix}/${parts.length}.zst`;
      await putBytes(key, packed);
      parts.push({ key, sha256: digest(packed) });
    }
  } finally {
    await source.close();
  }
  return parts;
}

/** Replaces the file by the snapshot; false when that is of another schema, gone or damaged. */
export async function restoreSnapshot(file: string, { schema, parts }: Snapshot): Promise<boolean> {
  if (schema !== SCHEMA_VERSION) return false;
  const copy = `${file}.${newId()}.copy`;
  const target = await open(copy, 'w', 0o600);
  try {
    for (const { key, sha256 } of parts) {
      const packed = await getBytes(key);
      if (!packed || digest(packed) !== sha256) return false;
      await target.write(await decompress(packed));
    }
    await removeIndex(file);
    await rename(copy, file);
    return true;
  } finally {
    await target.close();
    await rm(copy, { force: true });
  }
}

/** Removes the objects of a snapshot that no head names. */
export async function deleteSnapshot({ parts }: Snapshot): Promise<void> {
  for (const { key } of parts) await deleteObject(key);
}

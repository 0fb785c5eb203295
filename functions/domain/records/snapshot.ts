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

/** How much of the file one part contains. The head, which every question reads, names each part. */
const PART_BYTES = 32 * 1024 * 1024;
/** Parts that a reader fetches at once: one connection has a fraction of the bandwidth. They fit in 100 MB. */
const PARTS_AHEAD = 6;
/** Node's 16 KB would make unpacking take three times as long. */
const UNPACKED_CHUNK_BYTES = 1024 * 1024;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url');

/** Saves a copy of the index as the next generation; it becomes active once the head names it. */
export async function saveSnapshot(workspaceId: string, file: string, generation: number): Promise<Snapshot> {
  const copy = `${file}.${newId()}.copy`;
  const { cursor_ms, incarnation } = await onIndex(file, 'state');
  if (incarnation === undefined) throw new Error('the index was emptied before it could be saved');
  const records = await onIndex(file, 'count', { types: null });
  await onIndex(file, 'copyTo', copy);
  try {
    const prefix = `${SNAPSHOTS_PREFIX}${workspaceId}/${generation}-${newId()}`;
    const part_sums = await uploadParts(copy, prefix);
    return { generation, schema: SCHEMA_VERSION, incarnation, cursor_ms, records, prefix, part_sums };
  } finally {
    await rm(copy, { force: true });
  }
}

const partKey = (prefix: string, part: number) => `${prefix}/${part}.zst`;

async function uploadParts(copy: string, prefix: string): Promise<Snapshot['part_sums']> {
  const { size } = await stat(copy);
  const source = await open(copy);
  const sums: string[] = [];
  try {
    for (let at = 0; at < size; at += PART_BYTES) {
      const bytes = Buffer.alloc(Math.min(PART_BYTES, size - at));
      await source.read(bytes, 0, bytes.length, at);
      const packed = Buffer.from(await compress(bytes));
      await putBytes(partKey(prefix, sums.length), packed);
      sums.push(digest(packed));
    }
  } finally {
    await source.close();
  }
  return sums;
}

/** Replaces the file by the snapshot; false when that is of another schema, gone or damaged. */
export async function restoreSnapshot(file: string, snapshot: Snapshot): Promise<boolean> {
  if (snapshot.schema !== SCHEMA_VERSION) return false;
  const copy = `${file}.${newId()}.copy`;
  const target = await open(copy, 'w', 0o600);
  try {
    for await (const packed of fetchedParts(snapshot)) {
      if (!packed) return false;
      await target.writeFile(await decompress(packed, { chunkSize: UNPACKED_CHUNK_BYTES }));
    }
    await removeIndex(file);
    await rename(copy, file);
    return true;
  } finally {
    await target.close();
    await rm(copy, { force: true });
  }
}

/** The parts in their order, some fetched while earlier ones are used; undefined for one that is gone or damaged. */
async function* fetchedParts({ prefix, part_sums }: Snapshot): AsyncGenerator<Buffer | undefined> {
  const waiting: Promise<Buffer | undefined>[] = [];
  for (const [part, sum] of part_sums.entries()) {
    const fetched = fetchPart(partKey(prefix, part), sum);
    // A caller that stops early never awaits it; avoid an unhandled rejection.
    fetched.catch(() => undefined);
    waiting.push(fetched);
    if (waiting.length === PARTS_AHEAD) yield await waiting.shift();
  }
  for (const fetched of waiting) yield await fetched;
}

async function fetchPart(key: string, sum: string): Promise<Buffer | undefined> {
  const packed = await getBytes(key);
  return packed && digest(packed) === sum ? packed : undefined;
}

/** Removes the objects of a snapshot that no head names. */
export async function deleteSnapshot({ prefix, part_sums }: Snapshot): Promise<void> {
  for (const part of part_sums.keys()) await deleteObject(partKey(prefix, part));
}

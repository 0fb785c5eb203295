// Snapshots of a record index in the bucket: compressed parts of the file and of its vectors, and blocks of its bodies,
// under keys that are used once.
import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { SNAPSHOTS_PREFIX } from '#contract/retention.ts';
import { coalesce } from '#platform/coalesce.ts';
import { newId } from '#platform/ids.ts';
import type { PackedBlock } from '#record-index/bodies.ts';
import { onIndex, removeIndex } from '#record-index/record-index.ts';
import { SCHEMA_VERSION } from '#record-index/schema-version.ts';
import * as heads from '#store/records/record-heads.ts';
import { deleteObject, getBytes, putBytes } from '#store/table/object-store.ts';
import { incomplete } from './incomplete-snapshots.ts';
import { bodiesKey, partKey, vectorKey } from './snapshot-keys.ts';

type Snapshot = heads.Snapshot;

/** How much of the file one part contains. The head, which every question reads, names each part. */
const PART_BYTES = 16 * 1024 * 1024;
/** Parts that a reader fetches and unpacks at once: one connection has a fraction of the bandwidth. */
const PARTS_AT_ONCE = 6;
/** More than a part, so that each is unpacked into one buffer: several would be joined by copying. */
const UNPACKED_CHUNK_BYTES = PART_BYTES + 1;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url');

/**
 * Saves a copy of the index as the next generation; it becomes active once the head names it. Throws IndexDamaged
 * unless the index has its vectors and bodies.
 */
export async function saveSnapshot(workspaceId: string, file: string, generation: number): Promise<Snapshot> {
  const newCopy = () => `${file}.${newId()}.copy`;
  const [path, vectors_path, bodies_path] = [newCopy(), newCopy(), newCopy()];
  const { cursor_ms, incarnation } = await onIndex(file, 'state');
  if (incarnation === undefined) throw new Error('the index was emptied before it could be saved');
  const records = await onIndex(file, 'count', { types: null });
  const prefix = `${SNAPSHOTS_PREFIX}${workspaceId}/${generation}-${newId()}`;
  try {
    const copies = { path, vectors_path, bodies_path, at: prefix };
    const separated = await onIndex(file, 'copyTo', copies);
    const part_sums = await uploadParts(path, (part) => partKey(prefix, part));
    const vector_sums = separated.has_vectors
      ? await uploadParts(vectors_path, (part) => vectorKey(prefix, part))
      : [];
    const body_blocks = await uploadBlocks(bodies_path, prefix, separated.body_blocks);
    return {
      generation,
      schema: SCHEMA_VERSION,
      incarnation,
      cursor_ms,
      records,
      prefix,
      part_sums,
      vector_sums,
      body_blocks,
    };
  } finally {
    for (const copy of [path, vectors_path, bodies_path]) await rm(copy, { force: true });
  }
}

async function uploadParts(path: string, keyOf: (part: number) => string): Promise<string[]> {
  const { size } = await stat(path);
  const source = await open(path);
  const sums: string[] = [];
  try {
    for (let at = 0; at < size; at += PART_BYTES) {
      const bytes = Buffer.alloc(Math.min(PART_BYTES, size - at));
      await source.read(bytes, 0, bytes.length, at);
      const packed = Buffer.from(await compress(bytes));
      await putBytes(keyOf(sums.length), packed);
      sums.push(digest(packed));
    }
  } finally {
    await source.close();
  }
  return sums;
}

/** Saves the blocks that follow each other in the file; returns a number above all of theirs. */
async function uploadBlocks(path: string, prefix: string, blocks: PackedBlock[]): Promise<number> {
  const source = await open(path);
  let at = 0;
  try {
    for (const { block, bytes: size } of blocks) {
      const bytes = Buffer.alloc(size);
      await source.read(bytes, 0, size, at);
      await putBytes(bodiesKey(prefix, block), bytes);
      at += size;
    }
  } finally {
    await source.close();
  }
  return (blocks.at(-1)?.block ?? -1) + 1;
}

/** An object of a snapshot, and the SHA-256 of its bytes. */
interface Part {
  key: string;
  sum: string;
}

/**
 * Replaces the file by the snapshot, without its vectors and bodies; false when that is of another schema, gone,
 * damaged or found incomplete.
 */
export async function restoreSnapshot(file: string, snapshot: Snapshot): Promise<boolean> {
  const { schema, prefix, part_sums } = snapshot;
  if (schema !== SCHEMA_VERSION || incomplete.has(prefix)) return false;
  const copy = `${file}.${newId()}.copy`;
  try {
    const parts = part_sums.map((sum, part) => ({ key: partKey(prefix, part), sum }));
    if (!(await unpack(parts, copy))) return false;
    await removeIndex(file);
    await rename(copy, file);
    return true;
  } finally {
    await rm(copy, { force: true });
  }
}

/**
 * Adds the vectors that a restored index lacks, if it lacks them. False when they are gone: a newer snapshot has
 * replaced theirs, or this one is incomplete, which then is not restored again.
 */
export const restoreVectors = coalesce(async (file: string, workspaceId: string): Promise<boolean> => {
  const where = await onIndex(file, 'absentVectors');
  if (where === undefined) return true;
  const snapshot = (await heads.get(workspaceId))?.snapshot;
  if (snapshot?.prefix !== where) return false;
  const copy = `${file}.${newId()}.copy`;
  try {
    const parts = snapshot.vector_sums.map((sum, part) => ({ key: vectorKey(where, part), sum }));
    if (!(await unpack(parts, copy))) {
      incomplete.add(where);
      return false;
    }
    await onIndex(file, 'addVectors', { path: copy, where });
    return true;
  } finally {
    await rm(copy, { force: true });
  }
});

/** Writes the content of the parts to a new file, some at once; false when one is gone or damaged. */
async function unpack(parts: Part[], path: string): Promise<boolean> {
  const target = await open(path, 'w', 0o600);
  const left = parts.entries();
  let isWhole = true;
  const unpackNext = async () => {
    for (const [number, part] of left) {
      const packed = isWhole && (await fetchPart(part));
      if (packed) {
        const bytes = await decompress(packed, { chunkSize: UNPACKED_CHUNK_BYTES });
        await target.write(bytes, 0, bytes.length, number * PART_BYTES);
      } else isWhole = false;
    }
  };
  try {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, unpackNext));
    return isWhole;
  } finally {
    await target.close();
  }
}

async function fetchPart({ key, sum }: Part): Promise<Buffer | undefined> {
  const packed = await getBytes(key);
  return packed && digest(packed) === sum ? packed : undefined;
}

/** Removes the objects of a snapshot that no head names. */
export async function deleteSnapshot({
  prefix,
  part_sums,
  vector_sums,
  body_blocks,
}: Snapshot): Promise<void> {
  for (const part of part_sums.keys()) await deleteObject(partKey(prefix, part));
  for (const part of vector_sums.keys()) await deleteObject(vectorKey(prefix, part));
  for (let block = 0; block < body_blocks; block += 1) await deleteObject(bodiesKey(prefix, block));
}

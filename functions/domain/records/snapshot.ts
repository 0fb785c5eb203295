// Snapshots of a record index in the bucket: compressed objects with the pages of its file by use, and with its bodies,
// under keys that are used once.
import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { SNAPSHOTS_PREFIX } from '#contract/retention.ts';
import { newId } from '#platform/ids.ts';
import { CORE, piecesOf, UNPACKED_CHUNK_BYTES } from '#record-index/pages.ts';
import { onIndex, removeIndex } from '#record-index/record-index.ts';
import { SCHEMA_VERSION } from '#record-index/schema-version.ts';
import type { PackedObject } from '#record-index/snapshot-objects.ts';
import type * as heads from '#store/records/record-heads.ts';
import { deleteObject, getBytes, putBytes } from '#store/table/object-store.ts';
import { incomplete } from './incomplete-snapshots.ts';
import { objectKey } from './snapshot-keys.ts';

type Snapshot = heads.Snapshot;

/** Objects that a reader fetches and unpacks at once: some come while others are unpacked, each takes memory. */
const OBJECTS_AT_ONCE = 8;

const decompress = promisify(zstdDecompress);

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url');

/**
 * Saves a copy of the index as the next generation; it becomes active once the head names it. Throws IndexIncomplete
 * unless the index has everything.
 */
export async function saveSnapshot(workspaceId: string, file: string, generation: number): Promise<Snapshot> {
  const newCopy = () => `${file}.${newId()}.copy`;
  const [path, target] = [newCopy(), newCopy()];
  const { cursor_ms, incarnation } = await onIndex(file, 'state');
  if (incarnation === undefined) throw new Error('the index was emptied before it could be saved');
  const records = await onIndex(file, 'count', { types: null });
  const prefix = `${SNAPSHOTS_PREFIX}${workspaceId}/${generation}-${newId()}`;
  try {
    const { objects, file_bytes } = await onIndex(file, 'pack', { path, target, where: prefix });
    await upload(target, prefix, objects);
    return {
      ...{ generation, schema: SCHEMA_VERSION, incarnation, cursor_ms, records, prefix, file_bytes },
      part_sums: objects.filter(({ part }) => part === CORE).map(({ sum }) => sum),
      objects: Object.fromEntries(objects.map(({ part, number }) => [part, number + 1])),
    };
  } finally {
    for (const copy of [path, target]) await rm(copy, { force: true });
  }
}

/** Saves the objects that follow each other in the file. */
async function upload(path: string, prefix: string, objects: PackedObject[]): Promise<void> {
  const source = await open(path);
  let at = 0;
  try {
    for (const object of objects) {
      const bytes = Buffer.alloc(object.bytes);
      await source.read(bytes, 0, bytes.length, at);
      await putBytes(objectKey(prefix, object), bytes);
      at += bytes.length;
    }
  } finally {
    await source.close();
  }
}

/**
 * Replaces the file by the snapshot, with holes for all that not every question needs; false when the snapshot is of
 * another schema, gone, damaged or found incomplete.
 */
export async function restoreSnapshot(file: string, snapshot: Snapshot): Promise<boolean> {
  if (snapshot.schema !== SCHEMA_VERSION || incomplete.has(snapshot.prefix)) return false;
  const copy = `${file}.${newId()}.copy`;
  try {
    if (!(await unpackCore(snapshot, copy))) return false;
    await removeIndex(file);
    await rename(copy, file);
    return true;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Writes the pages of the core to a new file, those of some objects at once; false when one is gone or damaged. */
async function unpackCore({ prefix, part_sums, file_bytes }: Snapshot, path: string): Promise<boolean> {
  const target = await open(path, 'w', 0o600);
  const left = part_sums.entries();
  let isWhole = true;
  const unpackNext = async () => {
    for (const [number, sum] of left) {
      const packed = isWhole && (await getBytes(objectKey(prefix, { part: CORE, number })));
      if (packed && digest(packed) === sum) {
        const bytes = await decompress(packed, { chunkSize: UNPACKED_CHUNK_BYTES });
        for (const piece of piecesOf(bytes)) await writeWhole(target, piece.bytes, piece.position);
      } else isWhole = false;
    }
  };
  try {
    await target.truncate(file_bytes);
    await Promise.all(Array.from({ length: OBJECTS_AT_ONCE }, unpackNext));
    return isWhole;
  } finally {
    await target.close();
  }
}

/** One call may write less than it is given. */
async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, undefined, position + written)).bytesWritten;
}

/** Removes the objects of a snapshot that no head names. */
export async function deleteSnapshot({ prefix, objects }: Snapshot): Promise<void> {
  for (const [part, numbers] of Object.entries(objects))
    for (let number = 0; number < numbers; number += 1)
      await deleteObject(objectKey(prefix, { part, number }));
}

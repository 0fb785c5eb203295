// Snapshots of a record index in the bucket: compressed objects with its files in pieces, and with its bodies, under
// keys that are used once.
import { open, rename, rm } from 'node:fs/promises';
import { SNAPSHOTS_PREFIX } from '#contract/retention.ts';
import { newId } from '#platform/ids.ts';
import { SCHEMA_VERSION } from '#record-index/files.ts';
import type { PackedObject } from '#record-index/pack.ts';
import { onIndex, removeIndex } from '#record-index/record-index.ts';
import type * as heads from '#store/records/record-heads.ts';
import { deleteObject, putBytes } from '#store/table/object-store.ts';
import { incomplete, objectKey, unpackFile } from './fetch-parts.ts';

type Snapshot = heads.Snapshot;

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
    const objects = await onIndex(file, 'pack', { path, target, where: prefix });
    await upload(target, prefix, objects);
    return {
      ...{ generation, schema: SCHEMA_VERSION, incarnation, cursor_ms, records, prefix },
      part_sums: objects.filter(({ part }) => part === 'core').map(({ sum }) => sum),
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
 * Replaces the index by the core of the snapshot, which every question needs; false when the snapshot is of another
 * schema, gone, damaged or found incomplete.
 */
export async function restoreSnapshot(file: string, snapshot: Snapshot): Promise<boolean> {
  const { schema, prefix, part_sums } = snapshot;
  if (schema !== SCHEMA_VERSION || incomplete.has(prefix)) return false;
  const copy = `${file}.${newId()}.copy`;
  try {
    if (!(await unpackFile(prefix, 'core', part_sums, copy))) return false;
    await removeIndex(file);
    await rename(copy, file);
    return true;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Removes the objects of a snapshot that no head names. */
export async function deleteSnapshot({ prefix, objects }: Snapshot): Promise<void> {
  for (const [part, numbers] of Object.entries(objects))
    for (let number = 0; number < numbers; number += 1)
      await deleteObject(objectKey(prefix, { part, number }));
}

// Objects of its snapshot that a restored index lacks: fetched when an operation needs them.
import { IndexDamaged, IndexIncomplete, onIndex } from '#record-index/record-index.ts';
import { findBytes } from '#store/table/object-store.ts';
import { incomplete } from './incomplete-snapshots.ts';
import { objectKey } from './snapshot-keys.ts';

/** Objects that are fetched and added at once. */
const OBJECTS_AT_ONCE = 8;

/**
 * Does work on indexes; when one lacks objects, fetches them and does the work again. Throws what the work throws,
 * ServiceTrouble when the bucket does not answer, and IndexDamaged when objects are damaged or gone, mostly because a
 * newer snapshot has replaced theirs.
 */
export async function withObjects<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IndexIncomplete)) throw error;
      await addAbsent(error);
    }
}

async function addAbsent({ file, where, names }: IndexIncomplete): Promise<void> {
  const left = names.values();
  const addNext = async () => {
    for (const name of left) {
      const packed = await findBytes(objectKey(where, name));
      if (!packed) throw new IndexDamaged('an object of a snapshot is gone');
      await onIndex(file, 'addObject', { ...name, packed, where });
    }
  };
  try {
    await Promise.all(Array.from({ length: OBJECTS_AT_ONCE }, addNext));
  } catch (error) {
    if (error instanceof IndexDamaged) incomplete.add(where);
    throw error;
  }
}

// Bodies of records that a restored index lacks: fetched when an operation needs them.
import { BodiesAbsent } from '#record-index/bodies.ts';
import { IndexDamaged, onIndex } from '#record-index/record-index.ts';
import { findBytes } from '#store/table/object-store.ts';
import { incomplete } from './incomplete-snapshots.ts';
import { bodiesKey } from './snapshot-keys.ts';

/** Blocks that are fetched and added at once. */
const BLOCKS_AT_ONCE = 8;

/**
 * Does work on an index; when that lacks bodies, fetches them and does the work again. Throws what the work throws,
 * ServiceTrouble when the bucket does not answer, and IndexDamaged when the bodies are gone, mostly because a newer
 * snapshot has replaced theirs, or damaged.
 */
export async function withBodies<T>(file: string, work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BodiesAbsent)) throw error;
      await addAbsent(file, error);
    }
}

async function addAbsent(file: string, { where, blocks }: BodiesAbsent): Promise<void> {
  const left = blocks.values();
  const addNext = async () => {
    for (const block of left) {
      const packed = await findBytes(bodiesKey(where, block));
      if (!packed) throw new IndexDamaged('the bodies of a snapshot are gone');
      await onIndex(file, 'addBodies', { block, packed, where });
    }
  };
  try {
    await Promise.all(Array.from({ length: BLOCKS_AT_ONCE }, addNext));
  } catch (error) {
    if (error instanceof IndexDamaged) incomplete.add(where);
    throw error;
  }
}

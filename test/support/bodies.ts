// The blocks of bodies that a copy of an index has next to it.
import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { addBodies, BodiesAbsent, type PackedBlock } from '#record-index/bodies.ts';

export interface CopiedBodies {
  bodies_path: string;
  at: string;
  body_blocks: PackedBlock[];
}

/** The packed blocks by number. */
export function blocksOf({ bodies_path, body_blocks }: Pick<CopiedBodies, 'bodies_path' | 'body_blocks'>) {
  const all = readFileSync(bodies_path);
  let at = 0;
  return new Map(
    body_blocks.map(({ block, bytes }) => {
      const packed = all.subarray(at, at + bytes);
      at += bytes;
      return [block, packed];
    }),
  );
}

/** Does work on a restored index, adding the blocks that it needs; returns its result and these blocks' numbers. */
export function addingBodies<T>(
  index: DatabaseSync,
  copied: CopiedBodies,
  work: () => T,
): { result: T; added: number[] } {
  const blocks = blocksOf(copied);
  const added: number[] = [];
  for (;;)
    try {
      return { result: work(), added };
    } catch (error) {
      if (!(error instanceof BodiesAbsent)) throw error;
      for (const block of error.blocks) {
        const packed = blocks.get(block);
        if (!packed) throw new Error(`there is no block ${block}`);
        addBodies(index, { block, packed, where: copied.at });
        added.push(block);
      }
    }
}

// The records of `bench:records` as a workspace has them, each with a vector.
import { createHash } from 'node:crypto';
import type { Entity } from '#contract/entities.ts';
import { uuidFrom } from '#platform/crypto.ts';
import { type Random, random } from '../../random.ts';
import { linesOf } from '../records/lines.ts';

const CREATED_AT = 1_760_000_000_000;

export interface VectorRecord {
  entity: Entity;
  vector: number[];
}

/** Components as a model's are: many small ones, few large. Like those, they do not compress. */
export const vectorOf = ({ below }: Random, dimensions: number): number[] =>
  Array.from({ length: dimensions }, () => below(128) + below(128) - 127);

/** The records of a workspace of this size. */
export function* recordsOf(workspaceId: string, size: number, dimensions: number): Generator<VectorRecord> {
  const chance = random(7, 0);
  for (const line of linesOf(size)) {
    // Ids that follow each other would compress better than those that an import makes.
    const id = uuidFrom(createHash('sha256').update(line.id).digest());
    const times = { created_at: CREATED_AT, updated_at: CREATED_AT };
    yield {
      entity: { ...line, id, workspace_id: workspaceId, ...times },
      vector: vectorOf(chance, dimensions),
    };
  }
}

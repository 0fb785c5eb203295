// Removes the relationships of a deleted record.
import { unlinkWrites } from '#store/bridges.ts';
import { ofEntities } from '#store/relationships.ts';
import { ConditionFailed, transact } from '#store/table.ts';

const IN_PARALLEL = 10;

/**
 * Removes every relationship that touches the record. None can be added meanwhile, because the write of one
 * checks that both ends exist; one that was moved to other ends meanwhile stays. Safe to repeat.
 */
export async function unlink(workspaceId: string, entityId: string): Promise<void> {
  const relationships = await ofEntities(workspaceId, [entityId]);
  for (let i = 0; i < relationships.length; i += IN_PARALLEL) {
    const some = relationships.slice(i, i + IN_PARALLEL);
    await Promise.all(some.map((relationship) => unlessMoved(unlinkWrites(relationship, entityId))));
  }
}

async function unlessMoved(writes: Parameters<typeof transact>[0]): Promise<void> {
  try {
    await transact(writes);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

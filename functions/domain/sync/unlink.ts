// Removes the relationships of a deleted record.
import * as relationships from '#store/relationships.ts';
import { ConditionFailed, transact } from '#store/table.ts';

const IN_PARALLEL = 10;

/**
 * Removes every relationship that touches the record. None can be added meanwhile, because the write of one
 * checks that both ends exist; one that was moved to other ends meanwhile stays. Safe to repeat.
 */
export async function unlink(workspaceId: string, entityId: string): Promise<void> {
  const linked = await relationships.ofEntities(workspaceId, [entityId]);
  for (let i = 0; i < linked.length; i += IN_PARALLEL) {
    const some = linked.slice(i, i + IN_PARALLEL);
    await Promise.all(
      some.map((relationship) => unlessMoved(relationships.unlinkWrites(relationship, entityId))),
    );
  }
}

async function unlessMoved(writes: Parameters<typeof transact>[0]): Promise<void> {
  try {
    await transact(writes);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

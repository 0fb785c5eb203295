// Removes the relationships of a deleted record.
import type { Relationship } from '#contract/entities.ts';
import { chunks } from '#platform/chunks.ts';
import { transactRecords } from '#store/records/changes.ts';
import * as relationships from '#store/records/relationship-items.ts';
import { takesEffect } from '#store/table/table.ts';

const IN_PARALLEL = 10;

/**
 * Deletes every relationship that touches the record. None can be added in the meantime, because every write of one
 * checks both ends; one that was moved to other ends stays. Safe to repeat.
 */
export async function unlink(workspaceId: string, entityId: string): Promise<void> {
  const linked = await relationships.ofEntities(workspaceId, [entityId]);
  for (const some of chunks(linked, IN_PARALLEL))
    await Promise.all(some.map((relationship) => unlinkUnlessMoved(relationship, entityId)));
}

async function unlinkUnlessMoved(relationship: Relationship, entityId: string): Promise<void> {
  const { workspace_id, id } = relationship;
  const writes = relationships.unlinkWrites(relationship, entityId);
  await takesEffect(transactRecords(workspace_id, { relationships: [id] }, writes));
}

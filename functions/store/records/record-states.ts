// The current records and relationships for the record index: by id, or page by page.
import * as z from 'zod';
import { Entity, type Relationship } from '#contract/entities.ts';
import { getItems, type Item, queryPage } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { withOwnJson } from './own-json.ts';
import { relationshipOf } from './relationship-items.ts';
import { StoredVector } from './vectors.ts';

/** A record with its vector, if any. */
export interface RecordState {
  entity: Entity;
  vector: Int8Array<ArrayBuffer> | undefined;
  /** Which embedding made it; absent: the offline one. */
  vector_of?: string | undefined;
}

const StoredRecord = z.object({ ...Entity.shape, ...StoredVector.shape });

function toState(item: Item): RecordState {
  const { vector, vector_of, ...entity } = StoredRecord.parse(withOwnJson(item, 'fields'));
  return { entity, vector, ...(vector_of !== undefined && { vector_of }) };
}

/** The records that exist among the ids. */
export async function recordStates(workspaceId: string, ids: string[]): Promise<RecordState[]> {
  return (await getItems(ids.map((id) => keys.entity(workspaceId, id)))).map(toState);
}

/** The relationships that exist among the ids. */
export async function relationshipStates(workspaceId: string, ids: string[]): Promise<Relationship[]> {
  const items = await getItems(ids.map((id) => keys.relationship(workspaceId, id)));
  return items.map(relationshipOf);
}

/** A page of a workspace's records by id, from after `after`. */
export async function recordPage(
  workspaceId: string,
  after: string | undefined,
): Promise<{ records: RecordState[]; next: string | undefined }> {
  const page = await queryPage(keys.entities(workspaceId), { after });
  return { records: page.items.map(toState), next: page.next };
}

/** A page of a workspace's relationships by id, from after `after`. */
export async function relationshipPage(
  workspaceId: string,
  after: string | undefined,
): Promise<{ relationships: Relationship[]; next: string | undefined }> {
  const page = await queryPage(keys.relationships(workspaceId), { after });
  return { relationships: page.items.map(relationshipOf), next: page.next };
}

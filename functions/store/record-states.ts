// Records and relationships as the table has them now, for the record index: by id, or a page of the whole workspace.
import * as z from 'zod';
import { Entity, Relationship } from '#contract/entities.ts';
import { getItems, type Item, queryBetween, queryPage } from './table.ts';
import { keys } from './table-keys.ts';

/** A record with its vector, where it has one. */
export interface RecordState {
  entity: Entity;
  vector: Float32Array | undefined;
}

const StoredEntity = z.object({ ...Entity.shape });
const StoredRelationship = z.object({ ...Relationship.shape });
const StoredVector = z.object({ sk: z.string(), vector: z.instanceof(Uint8Array) });

function vectorsById(items: Item[]): Map<string, Float32Array> {
  return new Map(
    items
      .map((item) => StoredVector.parse(item))
      // A copy: the bytes of an item need not be aligned to four.
      .map(({ sk, vector }) => [sk, new Float32Array(Uint8Array.from(vector).buffer)]),
  );
}

/** The records that exist among the ids. */
export async function recordStates(workspaceId: string, ids: string[]): Promise<RecordState[]> {
  const [entities, vectors] = await Promise.all([
    getItems(ids.map((id) => keys.entity(workspaceId, id))),
    getItems(ids.map((id) => keys.vector(workspaceId, id))),
  ]);
  const vectorOf = vectorsById(vectors);
  return entities
    .map((item) => StoredEntity.parse(item))
    .map((entity) => ({ entity, vector: vectorOf.get(entity.id) }));
}

/** The relationships that exist among the ids. */
export async function relationshipStates(workspaceId: string, ids: string[]): Promise<Relationship[]> {
  const items = await getItems(ids.map((id) => keys.relationship(workspaceId, id)));
  return items.map((item) => StoredRelationship.parse(item));
}

/** A page of a workspace's records by id, from after `after`. */
export async function recordPage(
  workspaceId: string,
  after: string | undefined,
): Promise<{ records: RecordState[]; next: string | undefined }> {
  const page = await queryPage(keys.entities(workspaceId), { after });
  const entities = page.items.map((item) => StoredEntity.parse(item));
  const [first, last] = [entities[0], entities.at(-1)];
  const vectors = first && last ? await queryBetween(keys.vectors(workspaceId), first.id, last.id) : [];
  const vectorOf = vectorsById(vectors);
  return {
    records: entities.map((entity) => ({ entity, vector: vectorOf.get(entity.id) })),
    next: page.next,
  };
}

/** A page of a workspace's relationships by id, from after `after`. */
export async function relationshipPage(
  workspaceId: string,
  after: string | undefined,
): Promise<{ relationships: Relationship[]; next: string | undefined }> {
  const page = await queryPage(keys.relationships(workspaceId), { after });
  return { relationships: page.items.map((item) => StoredRelationship.parse(item)), next: page.next };
}

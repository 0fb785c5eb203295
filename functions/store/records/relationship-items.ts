// Relationships: each is one item in the list of its workspace, plus one for each of its two ends.
import * as z from 'zod';
import { Relationship } from '#contract/entities.ts';
import { getItem, getItems, type Item, queryAll, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { ownJsonAttribute, withOwnJson } from './own-json.ts';

const Stored = z.object({ ...Relationship.shape });
/** The relationship of an item. */
export const relationshipOf = (item: Item): Relationship => Stored.parse(withOwnJson(item, 'metadata'));

function keysOf(relationship: Relationship): { pk: string; sk: string }[] {
  const { workspace_id: ws, id, from_id, to_id } = relationship;
  const ends = [...new Set([from_id, to_id])].map((entity) => keys.link(ws, entity, id));
  return [keys.relationship(ws, id), ...ends];
}

/** Writes (at most 5) that save a relationship and remove it from ends that only `before` had. */
export function relationshipWrites(relationship: Relationship, before?: Relationship): Write[] {
  const TableName = tableName();
  const wanted = keysOf(relationship);
  const stale = before ? keysOf(before).filter((old) => !wanted.some((key) => key.pk === old.pk)) : [];
  const metadata = ownJsonAttribute(relationship.metadata);
  return [
    ...wanted.map((key) => ({ Put: { TableName, Item: { ...key, ...relationship, metadata } } })),
    ...stale.map((Key) => ({ Delete: { TableName, Key } })),
  ];
}

/** Writes that remove a relationship. */
export function relationshipDeletes(relationship: Relationship): Write[] {
  return keysOf(relationship).map((Key) => ({ Delete: { TableName: tableName(), Key } }));
}

/** Writes that remove a relationship; their condition fails when it no longer touches the entity. */
export function unlinkWrites(relationship: Relationship, entityId: string): Write[] {
  const main = keys.relationship(relationship.workspace_id, relationship.id);
  const touches = {
    ConditionExpression: 'from_id = :gone OR to_id = :gone',
    ExpressionAttributeValues: { ':gone': entityId },
  };
  return keysOf(relationship).map((Key) => ({
    Delete: { TableName: tableName(), Key, ...(Key.pk === main.pk && touches) },
  }));
}

export async function get(workspaceId: string, id: string): Promise<Relationship | undefined> {
  const item = await getItem(keys.relationship(workspaceId, id));
  return item && relationshipOf(item);
}

/** The relationships that exist among the ids, in no order. */
export async function getMany(workspaceId: string, ids: string[]): Promise<Relationship[]> {
  return (await getItems([...new Set(ids)].map((id) => keys.relationship(workspaceId, id)))).map(
    relationshipOf,
  );
}

/** The relationships that any of the entities takes part in, each once. */
export async function ofEntities(workspaceId: string, entityIds: string[]): Promise<Relationship[]> {
  const pages = await Promise.all(
    [...new Set(entityIds)].map((id) => queryAll(keys.linksOf(workspaceId, id))),
  );
  return [
    ...new Map(
      pages
        .flat()
        .map(relationshipOf)
        .map((relationship) => [relationship.id, relationship]),
    ).values(),
  ];
}

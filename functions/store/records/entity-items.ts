// Entities and their external names. Reads are consistent.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Entity, type EntityRef, StoredEntity } from '#contract/entities.ts';
import type { Holder, RecordName } from '#contract/record-queries.ts';
import { chunks } from '#platform/chunks.ts';
import { settleAll } from '#platform/settle-all.ts';
import {
  existing,
  getItem,
  getItems,
  type Item,
  type Key,
  queryAll,
  table,
  tableName,
  type Write,
} from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { isUnnamed } from './line-ids.ts';
import { ownJsonAttribute, withOwnJson } from './own-json.ts';
import { type RecordVector, vectorAttributes } from './vectors.ts';

/** Names looked up at a time: sending each takes the thread about a millisecond. */
const LOOKED_UP_AT_ONCE = 10;

/** The entity of an item. */
export const entityOf = (item: Item): Entity => StoredEntity.parse(withOwnJson(item, 'fields'));

const Pointer = z.object({ sk: z.string(), created_at: z.number().default(0) });

/** The places where an entity is found by what names it. */
function pointersOf(entity: Entity): Key[] {
  const { workspace_id: ws, id: sk, external_uri, external_id, source, type, name } = entity;
  return [
    ...(external_uri ? [keys.uri(ws, external_uri)] : []),
    ...(external_id && source ? [keys.externalId(ws, source, external_id)] : []),
    ...(isUnnamed(sk) ? [keys.unnamed(ws, type, name)] : []),
  ].map((pk) => ({ pk, sk }));
}

/** Condition of a write of an entity that was read before: nothing has changed it since. */
const unchanged = ({ updated_at }: Entity) => ({
  ConditionExpression: 'updated_at = :seen',
  ExpressionAttributeValues: { ':seen': updated_at },
});

/** When a record is updated that was read before: later than its last update, so that others see that it changed. */
export const updateTime = (before: Entity | undefined): number =>
  Math.max(Date.now(), (before?.updated_at ?? 0) + 1);

/**
 * Writes (at most 7) that save an entity with its vector, if it has been made, and remove the names that only
 * `before` had. The condition of the first fails if the entity has changed since `before` was read; without `before`,
 * if there is one.
 */
export function entityWrites(entity: Entity, vector: RecordVector | undefined, before?: Entity): Write[] {
  const TableName = tableName();
  const { created_at } = entity;
  const names = pointersOf(entity);
  const stale = before ? pointersOf(before).filter((old) => !names.some((name) => name.pk === old.pk)) : [];
  const fields = ownJsonAttribute(entity.fields);
  return [
    {
      Put: {
        TableName,
        Item: {
          ...keys.entity(entity.workspace_id, entity.id),
          ...entity,
          fields,
          ...vectorAttributes(entity, vector),
        },
        ...(before ? unchanged(before) : { ConditionExpression: 'attribute_not_exists(pk)' }),
      },
    },
    ...names.map((key) => ({ Put: { TableName, Item: { ...key, created_at } } })),
    ...stale.map((Key) => ({ Delete: { TableName, Key } })),
  ];
}

/** Writes that change nothing and fail if one of the entities is gone. */
export function existChecks(workspaceId: string, entityIds: string[]): Write[] {
  return [...new Set(entityIds)].map((id) => ({
    ConditionCheck: {
      TableName: tableName(),
      Key: keys.entity(workspaceId, id),
      ConditionExpression: 'attribute_exists(pk)',
    },
  }));
}

/**
 * Writes (at most 4) that remove an entity with its vector and external names. The condition of the first fails if the
 * entity has changed since it was read.
 */
export function entityDeletes(entity: Entity): Write[] {
  const TableName = tableName();
  const Key = keys.entity(entity.workspace_id, entity.id);
  const names = pointersOf(entity).map((name) => ({ Delete: { TableName, Key: name } }));
  return [{ Delete: { TableName, Key, ...unchanged(entity) } }, ...names];
}

export async function get(workspaceId: string, id: string): Promise<Entity | undefined> {
  const item = await getItem(keys.entity(workspaceId, id));
  return item && entityOf(item);
}

/** The entities that exist among the ids, in their order. */
export async function getMany(workspaceId: string, ids: string[]): Promise<Entity[]> {
  const items = await getItems([...new Set(ids)].map((id) => keys.entity(workspaceId, id)));
  const stored = items.map(entityOf);
  const found = new Map(stored.map((entity) => [entity.id, entity]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Entities of a workspace in the order of their ids, from after `after`; at most `limit`. */
export async function listAfter(
  workspaceId: string,
  after: string | undefined,
  limit: number,
): Promise<Entity[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': keys.entities(workspaceId), ':after': after ?? ' ' },
      Limit: limit,
      ConsistentRead: true,
    }),
  );
  return Items.map(entityOf);
}

/** The entities that have a name. */
async function holdersOf(workspaceId: string, name: RecordName): Promise<Holder[]> {
  const items = await queryAll(partitionOf(workspaceId, name));
  return items.map((item) => Pointer.parse(item)).map(({ sk: id, created_at }) => ({ id, created_at }));
}

function partitionOf(workspaceId: string, name: RecordName): string {
  if ('external_uri' in name) return keys.uri(workspaceId, name.external_uri);
  if ('external_id' in name) return keys.externalId(workspaceId, name.source, name.external_id);
  return keys.unnamed(workspaceId, name.type, name.name);
}

/** The entities that have each name, in the order of the names. */
export function holdersOfEach(workspaceId: string, names: RecordName[]): Promise<Holder[][]> {
  return settleAll(names, LOOKED_UP_AT_ONCE, (name) => holdersOf(workspaceId, name));
}

/** Ids of the entities that have an external name. */
export async function idsOf(workspaceId: string, ref: Exclude<EntityRef, { id: string }>): Promise<string[]> {
  return (await holdersOf(workspaceId, ref)).map(({ id }) => id);
}

async function idOf(workspaceId: string, ref: EntityRef): Promise<string | undefined> {
  if ('id' in ref) return ref.id.toLowerCase();
  const ids = await idsOf(workspaceId, ref);
  return ids.length === 1 ? ids[0] : undefined;
}

/** The one entity that a reference names; undefined when it names none or several (rules.md: resolve 1). */
export async function resolve(workspaceId: string, ref: EntityRef): Promise<Entity | undefined> {
  const id = await idOf(workspaceId, ref);
  return id === undefined ? undefined : get(workspaceId, id);
}

/**
 * The ids that references name, in their order, whether or not the entity exists. Equal references are looked up once.
 */
async function lookedUp(workspaceId: string, refs: EntityRef[]): Promise<(string | undefined)[]> {
  const names = refs.map((ref) => JSON.stringify(Object.entries(ref).sort()));
  const distinct = [...new Map(names.map((name, i) => [name, refs[i]])).entries()];
  const looked = await settleAll(
    distinct,
    LOOKED_UP_AT_ONCE,
    async ([name, ref]) => [name, ref && (await idOf(workspaceId, ref))] as const,
  );
  const ids = new Map(looked);
  return names.map((name) => ids.get(name));
}

/** The ids of what `resolve` gives for each reference, in their order; equal references are looked up once. */
export async function resolveIds(workspaceId: string, refs: EntityRef[]): Promise<(string | undefined)[]> {
  const ids = await lookedUp(workspaceId, refs);
  const known = await existing(
    keys.entities(workspaceId),
    ids.flatMap((id) => id ?? []),
  );
  return ids.map((id) => (id !== undefined && known.has(id) ? id : undefined));
}

const Brief = z.object({ id: Entity.shape.id, type: Entity.shape.type, name: Entity.shape.name });
/** An entity without its fields, which may be long. */
export type BriefEntity = z.infer<typeof Brief>;

/** Entities read at a time: even the longest must not block the thread for long. */
const READ_AT_ONCE = 10;

/** What `resolve` gives for each reference, in their order, without fields; equal references are looked up once. */
export async function resolveBriefly(
  workspaceId: string,
  refs: EntityRef[],
): Promise<(BriefEntity | undefined)[]> {
  const ids = await lookedUp(workspaceId, refs);
  const wanted = [...new Set(ids.flatMap((id) => id ?? []))].map((id) => keys.entity(workspaceId, id));
  const found = new Map<string, BriefEntity>();
  for (const some of chunks(wanted, READ_AT_ONCE))
    for (const item of await getItems(some)) found.set(String(item.id), Brief.parse(item));
  return ids.map((id) => (id === undefined ? undefined : found.get(id)));
}

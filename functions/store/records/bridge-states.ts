// Bridges, the state of each resource that a bridge has synced into a workspace, and the claims of bridges on records.
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Entity, EntityRef } from '#contract/entities.ts';
import { BridgeFile } from '#contract/sync.ts';
import { chunks } from '#platform/chunks.ts';
import { getItem, getItems, table, tableName, transact, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import * as entities from './entity-items.ts';
import { ownJsonAttribute, withOwnJson } from './own-json.ts';

export const BridgeRecord = BridgeFile.extend({
  /** UUID in lower case. */
  bridge_id: z.string(),
  status: z.enum(['active', 'inactive']),
  /** Lowercase hex SHA-256 of the bridge's secret, sealed for the bridge id. */
  sealed_secret: z.string(),
  created_at: z.number(),
});
export type BridgeRecord = z.infer<typeof BridgeRecord>;
const Stored = z.object(BridgeRecord.shape);

/** A transaction has at most 100 actions; one saves the bridge. */
const ENTRIES_AT_ONCE = 99;

/**
 * Saves a bridge with its entries in audits, replacing its earlier state. Entries that do not fit into its transaction
 * come before it: after a crash they announce a command that has to be repeated.
 */
export async function put(bridge: BridgeRecord, entries: Write[] = []): Promise<void> {
  const workspaces = ownJsonAttribute(bridge.workspaces);
  const Item = { ...keys.bridge(bridge.bridge_id), ...bridge, workspaces };
  for (const some of chunks(entries.slice(ENTRIES_AT_ONCE), ENTRIES_AT_ONCE)) await transact(some);
  await transact([{ Put: { TableName: tableName(), Item } }, ...entries.slice(0, ENTRIES_AT_ONCE)]);
}

/** Deletes a bridge; safe to repeat. */
export async function remove(bridgeId: string): Promise<void> {
  await table.send(new DeleteCommand({ TableName: tableName(), Key: keys.bridge(bridgeId) }));
}

export async function get(bridgeId: string): Promise<BridgeRecord | undefined> {
  const item = await getItem(keys.bridge(bridgeId));
  return item && Stored.parse(withOwnJson(item, 'workspaces'));
}

/** A resource of a bridge as one workspace knows it: the identity is bridge, type and id (rules.md: sync 4). */
export interface ResourceKey {
  workspace_id: string;
  bridge_id: string;
  type: string;
  id: string;
}

const SyncState = z.object({
  /** The entity or relationship made from the resource; remains after its deletion, absent if there never was one. */
  record_id: z.string().optional(),
  /** A tombstone: an older message must not restore the record. */
  deleted: z.boolean(),
  /** The highest version applied; absent while no message carried one. */
  version: z.number().optional(),
  /** Grows with every write, so that one of two writers that read the same state fails. */
  revision: z.number(),
});
export type SyncState = z.infer<typeof SyncState>;

const stateKey = (resource: ResourceKey) =>
  keys.synced(resource.workspace_id, resource.bridge_id, resource.type, resource.id);

export async function getState(resource: ResourceKey): Promise<SyncState | undefined> {
  const item = await getItem(stateKey(resource));
  return item && SyncState.parse(item);
}

/** Write of the state that follows `before`; its condition fails if another write came in between. */
export function stateWrite(
  resource: ResourceKey,
  before: SyncState | undefined,
  after: Omit<SyncState, 'revision'>,
): Write {
  const Item = { ...stateKey(resource), ...after, revision: (before?.revision ?? 0) + 1 };
  const unchangedSinceRead = before
    ? { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': before.revision } }
    : { ConditionExpression: 'attribute_not_exists(pk)' };
  return { Put: { TableName: tableName(), Item, ...unchangedSinceRead } };
}

const unclaimed = { ConditionExpression: 'attribute_not_exists(pk)' };

/** Write that claims a record for the bridge; its condition fails if a bridge already claims it. */
export function claimWrite(resource: ResourceKey, entityId: string): Write {
  const Item = { ...keys.claim(resource.workspace_id, entityId), bridge_id: resource.bridge_id };
  return { Put: { TableName: tableName(), Item, ...unclaimed } };
}

/** Write that releases the claim on a deleted record. */
export function releaseWrite(resource: ResourceKey, entityId: string): Write {
  return { Delete: { TableName: tableName(), Key: keys.claim(resource.workspace_id, entityId) } };
}

/** Write that changes nothing and fails if a bridge claims the record. */
export function unclaimedCheck(resource: ResourceKey, entityId: string): Write {
  const Key = keys.claim(resource.workspace_id, entityId);
  return { ConditionCheck: { TableName: tableName(), Key, ...unclaimed } };
}

/** The imported records with this outside name, without those that bridges claim. */
export async function importedOnes(
  workspaceId: string,
  name: Exclude<EntityRef, { id: string }>,
): Promise<Entity[]> {
  const ids = await entities.idsOf(workspaceId, name);
  if (ids.length === 0) return [];
  const claims = await getItems(ids.map((id) => keys.claim(workspaceId, id)));
  const claimed = new Set(claims.map(({ pk }) => pk));
  return entities.getMany(
    workspaceId,
    ids.filter((id) => !claimed.has(keys.claim(workspaceId, id).pk)),
  );
}

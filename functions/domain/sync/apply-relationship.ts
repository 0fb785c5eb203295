// Applies a message about a relationship between two entities of the same bridge, in one workspace.
import { Relationship } from '#contract/entities.ts';
import type { Json } from '#contract/json.ts';
import type { BridgeResource } from '#contract/sync.ts';
import { newId } from '#platform/ids.ts';
import * as bridges from '#store/records/bridge-states.ts';
import { transactRecords } from '#store/records/changes.ts';
import * as entities from '#store/records/entity-items.ts';
import * as relationships from '#store/records/relationship-items.ts';
import { isIdentity } from './read-message.ts';
import { storable } from './storable.ts';
import { type Change, liveIdOf, stateWrite } from './workspace-change.ts';

export type RelationshipResource = Extract<BridgeResource, { kind: 'relationship' }>;

async function liveRelationship({ key }: Change, state: bridges.SyncState | undefined) {
  const id = liveIdOf(state);
  return id === undefined ? undefined : relationships.get(key.workspace_id, id);
}

/**
 * Creates or updates the relationship and stores the version, atomically, if both ends exist; otherwise nothing
 * changes, not even the version. The resource type names the relationship. Every attribute except the two foreign keys
 * is metadata; an update keeps the metadata that it does not mention. Returns whether it was applied. Throws SyncError
 * when it cannot be stored, ConditionFailed when another message came first (rules.md: sync 7).
 */
export async function upsertRelationship(
  change: Change,
  state: bridges.SyncState | undefined,
  resource: RelationshipResource,
): Promise<boolean> {
  const { key } = change;
  const before = await liveRelationship(change, state);
  const [from_id, to_id] = await Promise.all([
    endOf(change, resource.fromField, resource.fromResourceType, before?.from_id),
    endOf(change, resource.toField, resource.toResourceType, before?.to_id),
  ]);
  if (from_id === undefined || to_id === undefined) return false;
  const relationship = mapped(change, resource, { from_id, to_id }, before);
  await transactRecords(key.workspace_id, { relationships: [relationship.id] }, [
    stateWrite(change, state, { record_id: relationship.id, deleted: false }),
    ...entities.existChecks(key.workspace_id, [from_id, to_id]),
    ...relationships.relationshipWrites(relationship, before),
  ]);
  return true;
}

/**
 * Deletes the relationship and leaves a tombstone with the version. Returns whether there ever was one. Throws
 * ConditionFailed when another message came first (rules.md: sync 6).
 */
export async function deleteRelationship(
  change: Change,
  state: bridges.SyncState | undefined,
): Promise<boolean> {
  const { workspace_id } = change.key;
  const live = await liveRelationship(change, state);
  const record_id = state?.record_id;
  await transactRecords(workspace_id, { relationships: live ? [live.id] : [] }, [
    stateWrite(change, state, { record_id, deleted: true }),
    ...(live ? relationships.relationshipDeletes(live) : []),
  ]);
  return record_id !== undefined;
}

/** The entity that a foreign key names, or the current end without one; undefined when there is no such entity. */
async function endOf(
  { key, attributes = {} }: Change,
  field: string,
  type: string,
  before: string | undefined,
): Promise<string | undefined> {
  const record_id = Object.hasOwn(attributes, field) ? await recordOf(key, type, attributes[field]) : before;
  const entity = record_id === undefined ? undefined : await entities.get(key.workspace_id, record_id);
  return entity?.id;
}

async function recordOf(
  key: bridges.ResourceKey,
  type: string,
  foreignKey: Json | undefined,
): Promise<string | undefined> {
  const id = typeof foreignKey === 'string' || typeof foreignKey === 'number' ? String(foreignKey) : '';
  if (!isIdentity(type, id)) return undefined;
  return liveIdOf(await bridges.getState({ ...key, type, id }));
}

function mapped(
  { key, attributes = {} }: Change,
  resource: RelationshipResource,
  ends: { from_id: string; to_id: string },
  before?: Relationship,
): Relationship {
  const now = Date.now();
  const carried = Object.entries(attributes).filter(
    ([name]) => name !== resource.fromField && name !== resource.toField,
  );
  const relationship = {
    id: before?.id ?? newId(),
    workspace_id: key.workspace_id,
    ...ends,
    type: key.type,
    metadata: { ...before?.metadata, ...Object.fromEntries(carried) },
    created_at: before?.created_at ?? now,
    updated_at: now,
  };
  return storable(Relationship, relationship, relationship.metadata);
}

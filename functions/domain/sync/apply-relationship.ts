// A resource that is a relationship: links two entities that the same bridge brought, in one workspace.
import { Relationship } from '#contract/entities.ts';
import type { Json } from '#contract/json.ts';
import type { BridgeResource } from '#contract/sync.ts';
import { whyNotStorable } from '#domain/records/storable.ts';
import { newId } from '#platform/ids.ts';
import * as bridges from '#store/records/bridges.ts';
import { transactRecords } from '#store/records/changes.ts';
import * as entities from '#store/records/entities.ts';
import * as relationships from '#store/records/relationships.ts';
import { type Change, isStale, versionAfter } from './change.ts';
import { isIdentity } from './read-message.ts';
import { SyncError } from './sync-error.ts';

export type RelationshipResource = Extract<BridgeResource, { kind: 'relationship' }>;

async function liveRelationship({ key }: Change, state: bridges.SyncState | undefined) {
  if (!state || state.deleted || state.record_id === undefined) return undefined;
  return relationships.get(key.workspace_id, state.record_id);
}

/**
 * Creates or updates the relationship and keeps the version, all or nothing, if both ends exist at the write; otherwise nothing changes,
 * not even the version. The resource type names the relationship; every attribute but the two foreign keys is metadata, and an update
 * keeps the metadata that it does not carry. Returns whether it was applied. Throws SyncError when the table cannot keep it,
 * ConditionFailed when another message came first (rules.md: sync 7).
 */
export async function upsertRelationship(change: Change, resource: RelationshipResource): Promise<boolean> {
  const { key } = change;
  const state = await bridges.getState(key);
  if (isStale(change, state)) return false;
  const before = await liveRelationship(change, state);
  const [from_id, to_id] = await Promise.all([
    endOf(change, resource.fromField, resource.fromResourceType, before?.from_id),
    endOf(change, resource.toField, resource.toResourceType, before?.to_id),
  ]);
  if (from_id === undefined || to_id === undefined) return false;
  const relationship = mapped(change, resource, { from_id, to_id }, before);
  const version = versionAfter(change, state);
  await transactRecords(key.workspace_id, { relationships: [relationship.id] }, [
    bridges.stateWrite(key, state, { record_id: relationship.id, deleted: false, version }),
    ...entities.existChecks(key.workspace_id, [from_id, to_id]),
    ...relationships.relationshipWrites(relationship, before),
  ]);
  return true;
}

/**
 * Removes the relationship and leaves a tombstone that keeps the version. Returns whether there ever was one. Throws ConditionFailed
 * when another message came first (rules.md: sync 6).
 */
export async function deleteRelationship(change: Change): Promise<boolean> {
  const { key } = change;
  const state = await bridges.getState(key);
  if (isStale(change, state)) return false;
  const live = await liveRelationship(change, state);
  const record_id = state?.record_id;
  await transactRecords(key.workspace_id, { relationships: live ? [live.id] : [] }, [
    bridges.stateWrite(key, state, { record_id, deleted: true, version: versionAfter(change, state) }),
    ...(live ? relationships.relationshipDeletes(live) : []),
  ]);
  return record_id !== undefined;
}

/** Id of the entity that a foreign key names; the present end where the message carries none; undefined when there is no such entity. */
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
  const state = await bridges.getState({ ...key, type, id });
  return state?.deleted === false ? state.record_id : undefined;
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
  const candidate = {
    id: before?.id ?? newId(),
    workspace_id: key.workspace_id,
    ...ends,
    type: key.type,
    metadata: { ...before?.metadata, ...Object.fromEntries(carried) },
    created_at: before?.created_at ?? now,
    updated_at: now,
  };
  const fault = whyNotStorable(candidate.metadata);
  if (fault) throw new SyncError('invalid_payload', `The relationship's metadata cannot be kept: ${fault}.`);
  const relationship = Relationship.safeParse(candidate);
  if (relationship.success) return relationship.data;
  const wrong = relationship.error.issues[0]?.path.join('.');
  throw new SyncError('invalid_payload', `This cannot become a relationship: its ${wrong} would be wrong.`);
}

// A resource that is an entity: created, updated or removed in one workspace.
import { Entity } from '#contract/entities.ts';
import type { JsonObject } from '#contract/json.ts';
import type { BridgeResource } from '#contract/sync.ts';
import { whyNotStorable } from '#domain/records/storable.ts';
import { newId } from '#platform/ids.ts';
import * as bridges from '#store/records/bridges.ts';
import { transactRecords } from '#store/records/changes.ts';
import * as entities from '#store/records/entities.ts';
import { indexRecords, unindexRecords } from '#store/records/vectors.ts';
import { type Change, isStale, versionAfter } from './change.ts';
import { SyncError } from './sync-error.ts';
import { unlink } from './unlink.ts';

export type EntityResource = Extract<BridgeResource, { kind: 'entity' }>;
/** Vectors of records, in their order. */
export type Embed = (records: Entity[]) => Promise<number[][]>;

const NAME_MAX_CHARACTERS = 500;

const uriOf = ({ type, id }: bridges.ResourceKey) => `${type}:${id}`;

/** The entity that the resource is at present. */
async function liveEntity(change: Change, state: bridges.SyncState | undefined): Promise<Entity | undefined> {
  if (!state || state.deleted || state.record_id === undefined) return undefined;
  return entities.get(change.key.workspace_id, state.record_id);
}

/**
 * Creates or updates the entity with its vector and outside names, and keeps the version, all or nothing. The first message of a
 * resource adopts the imported record that has its URI. Returns whether it was applied. Throws SyncError when the table cannot
 * keep the record, ConditionFailed when another message came first (rules.md: sync 4, sync 5, sync 6).
 */
export async function upsertEntity(change: Change, resource: EntityResource, embed: Embed): Promise<boolean> {
  const { key } = change;
  const state = await bridges.getState(key);
  if (isStale(change, state)) return false;
  const live = await liveEntity(change, state);
  const before = live ?? (await bridges.findImported(key.workspace_id, uriOf(key)));
  const entity = mapped(change, resource, before);
  const [vector = []] = await embed([entity]);
  await transactRecords(key.workspace_id, { records: [entity.id] }, [
    bridges.stateWrite(key, state, {
      record_id: entity.id,
      deleted: false,
      version: versionAfter(change, state),
    }),
    ...(live ? [] : [bridges.claimWrite(key, entity.id)]),
    ...entities.entityWrites(entity, vector, before),
  ]);
  await indexRecords([{ entity, vector }]);
  return true;
}

/**
 * Removes the entity and leaves a tombstone that keeps the version, also for an unknown resource, whose older messages may still
 * arrive. Its relationships are removed, too. Returns whether there ever was a record.
 * Throws ConditionFailed when another message came first (rules.md: sync 6).
 */
export async function deleteEntity(change: Change): Promise<boolean> {
  const { key } = change;
  const state = await bridges.getState(key);
  if (isStale(change, state)) return false;
  const live = await liveEntity(change, state);
  const gone = live ?? (state ? undefined : await bridges.findImported(key.workspace_id, uriOf(key)));
  const record_id = gone?.id ?? state?.record_id;
  const claim = gone && (live ? bridges.releaseWrite : bridges.unclaimedCheck)(key, gone.id);
  await transactRecords(key.workspace_id, { records: gone ? [gone.id] : [] }, [
    bridges.stateWrite(key, state, { record_id, deleted: true, version: versionAfter(change, state) }),
    ...(claim ? [claim, ...entities.entityDeletes(gone)] : []),
  ]);
  if (record_id === undefined) return false;
  await unindexRecords(key.workspace_id, [record_id]);
  await unlink(key.workspace_id, record_id);
  return true;
}

function mapped({ key, attributes = {} }: Change, resource: EntityResource, before?: Entity): Entity {
  const now = Date.now();
  const carried = Object.entries(resource.field_map).flatMap(([source, field]) =>
    Object.hasOwn(attributes, source) ? [[field, attributes[source]] as const] : [],
  );
  const candidate = {
    id: before?.id ?? newId(),
    workspace_id: key.workspace_id,
    type: resource.entity_type,
    name: nameIn(attributes, resource.name_field) ?? before?.name ?? key.id,
    fields: { ...before?.fields, ...Object.fromEntries(carried) },
    external_uri: uriOf(key),
    external_id: key.id,
    source: 'custom',
    created_at: before?.created_at ?? now,
    updated_at: now,
  };
  const fault = whyNotStorable(candidate.fields);
  if (fault) throw new SyncError('invalid_payload', `The record's fields cannot be kept: ${fault}.`);
  const entity = Entity.safeParse(candidate);
  if (entity.success) return entity.data;
  const field = entity.error.issues[0]?.path.join('.');
  throw new SyncError(
    'invalid_payload',
    `This resource cannot become a record: its ${field} would be wrong.`,
  );
}

/** The name in a message; blank text and values of other types do not count as one. */
function nameIn(attributes: JsonObject, field: string): string | undefined {
  const sent = Object.hasOwn(attributes, field) ? attributes[field] : undefined;
  const text = typeof sent === 'string' || typeof sent === 'number' ? String(sent) : '';
  return text.trim() === '' ? undefined : [...text].slice(0, NAME_MAX_CHARACTERS).join('');
}

// Applies a message about an entity: creates, updates or deletes it in one workspace.
import { Entity } from '#contract/entities.ts';
import type { JsonObject } from '#contract/json.ts';
import type { BridgeResource } from '#contract/sync.ts';
import { claimNoticeSoon, type RecordChange, watching } from '#domain/change-notices/notify-monitors.ts';
import { hasContentOf } from '#domain/records/same-content.ts';
import { unlink } from '#domain/records/unlink.ts';
import { outsideNames, textOf } from '#domain/records/which-record.ts';
import { newId } from '#platform/ids.ts';
import { newNotice, noticeWrite } from '#store/monitors/change-notices.ts';
import * as bridges from '#store/records/bridge-states.ts';
import { transactRecords } from '#store/records/changes.ts';
import * as entities from '#store/records/entity-items.ts';
import * as nameClaims from '#store/records/name-claims.ts';
import { indexRecords, type RecordVector, unindexRecords } from '#store/records/vectors.ts';
import { storable } from './storable.ts';
import { SyncError } from './sync-error.ts';
import { type Change, liveIdOf, stateWrite } from './workspace-change.ts';

export type EntityResource = Extract<BridgeResource, { kind: 'entity' }>;
/** Vectors of records, in order; undefined for those that are made later. */
export type Embed = (records: Entity[]) => Promise<(RecordVector | undefined)[]>;

const NAME_MAX_CHARACTERS = 500;
/** Of the external id of a resource. */
const SOURCE = 'custom';

const uriOf = ({ type, id }: bridges.ResourceKey) => `${type}:${id}`;

const namesOf = (key: bridges.ResourceKey) =>
  ({ external_uri: uriOf(key), external_id: key.id, source: SOURCE }) as const;

/** The entity that the resource currently maps to. */
async function liveEntity(change: Change, state: bridges.SyncState | undefined): Promise<Entity | undefined> {
  const id = liveIdOf(state);
  return id === undefined ? undefined : entities.get(change.key.workspace_id, id);
}

/**
 * The imported record that the first message of a resource adopts: the one of its type with its external id, else the
 * one with its URI (rules.md: sync 4). Throws SyncError when the URI belongs to another record than the external id.
 */
async function adopted({ key }: Change, { entity_type }: EntityResource): Promise<Entity | undefined> {
  const { workspace_id, id: external_id } = key;
  const [ofSystem, withUri] = await Promise.all([
    bridges.importedOnes(workspace_id, { external_id, source: SOURCE }),
    bridges.importedOnes(workspace_id, { external_uri: uriOf(key) }),
  ]);
  const withId = ofSystem.filter(({ type }) => type === entity_type);
  const found = withId.length > 0 ? withId : withUri;
  const only = found.length === 1 ? found[0] : undefined;
  const other = only && withUri.find(({ id }) => id !== only.id);
  if (other) throw new SyncError('invalid_payload', `${uriOf(key)} belongs to another record, ${other.id}.`);
  return only;
}

/**
 * Creates or updates the entity, its vector and external names, and stores the version, atomically. The first message
 * of a resource adopts the imported record with its names. Returns whether it was applied. Throws SyncError when the
 * record cannot be stored, ConditionFailed when another message came first (rules.md: sync 4, sync 5, sync 6).
 */
export async function upsertEntity(
  change: Change,
  state: bridges.SyncState | undefined,
  resource: EntityResource,
  embed: Embed,
): Promise<boolean> {
  const { key } = change;
  const live = await liveEntity(change, state);
  const names = live ? [] : outsideNames(namesOf(key)).map(textOf);
  // Before the holders of the names are read: an import may take them at the same time (rules.md: entities 8).
  const claims = await nameClaims.read(key.workspace_id, names);
  const before = live ?? (await adopted(change, resource));
  const entity = mapped(change, resource, before);
  const [made] = await embed([entity]);
  const mark = hasContentOf(before, entity) ? undefined : await markOf(change, { before, after: entity });
  await transactRecords(key.workspace_id, { records: [entity.id] }, [
    stateWrite(change, state, { record_id: entity.id, deleted: false }),
    ...(live ? [] : [bridges.claimWrite(key, entity.id)]),
    ...names.map((name) => nameClaims.claimWrite(key.workspace_id, name, entity.id, claims.get(name))),
    ...entities.entityWrites(entity, made, before),
    ...(mark?.writes ?? []),
  ]);
  if (made) await indexRecords(key.workspace_id, [{ entity, ...made }]);
  if (mark) await claimNoticeSoon(mark.entry);
  return true;
}

/**
 * Deletes the entity and its relationships. Leaves a tombstone with the version, even for an unknown resource, whose
 * older messages may still arrive. Returns whether there ever was a record. Throws ConditionFailed when another message
 * came first (rules.md: sync 6).
 */
export async function deleteEntity(
  change: Change,
  state: bridges.SyncState | undefined,
  resource: EntityResource,
): Promise<boolean> {
  const { key } = change;
  const live = await liveEntity(change, state);
  const gone = live ?? (state ? undefined : await adopted(change, resource));
  const record_id = gone?.id ?? state?.record_id;
  const claim = gone && (live ? bridges.releaseWrite : bridges.unclaimedCheck)(key, gone.id);
  const mark = gone && (await markOf(change, { before: gone }));
  await transactRecords(key.workspace_id, { records: gone ? [gone.id] : [] }, [
    stateWrite(change, state, { record_id, deleted: true }),
    ...(claim ? [claim, ...entities.entityDeletes(gone)] : []),
    ...(mark?.writes ?? []),
  ]);
  if (record_id === undefined) return false;
  await unindexRecords(key.workspace_id, [record_id]);
  await unlink(key.workspace_id, record_id);
  if (mark) await claimNoticeSoon(mark.entry);
  return true;
}

/**
 * What is written with a record that monitors watch. In its transaction: a message that comes again changes nothing, so
 * a mark that was lost would stay lost.
 */
async function markOf({ workspace }: Change, record: RecordChange) {
  const watchers = await watching(workspace, [record]);
  if (watchers.length === 0) return undefined;
  const entry = newNotice(workspace.workspace_id);
  return { entry, writes: [noticeWrite(entry, watchers, Date.now())] };
}

function mapped({ key, attributes = {} }: Change, resource: EntityResource, before?: Entity): Entity {
  const updated_at = entities.updateTime(before);
  const carried = Object.entries(resource.field_map).flatMap(([source, field]) =>
    Object.hasOwn(attributes, source) ? [[field, attributes[source]] as const] : [],
  );
  const entity = {
    id: before?.id ?? newId(),
    workspace_id: key.workspace_id,
    type: resource.entity_type,
    name: nameIn(attributes, resource.name_field) ?? before?.name ?? key.id,
    fields: { ...before?.fields, ...Object.fromEntries(carried) },
    ...namesOf(key),
    created_at: before?.created_at ?? updated_at,
    updated_at,
  };
  return storable(Entity, entity, entity.fields);
}

/** The name in a message; blank text and other types do not count. */
function nameIn(attributes: JsonObject, field: string): string | undefined {
  const sent = Object.hasOwn(attributes, field) ? attributes[field] : undefined;
  const text = typeof sent === 'string' || typeof sent === 'number' ? String(sent) : '';
  return text.trim() === '' ? undefined : [...text].slice(0, NAME_MAX_CHARACTERS).join('');
}

// Entities, references to them, relationships and notes.
import * as z from 'zod';
import { EpochMs, JsonObject, text, Uuid } from './json.ts';
import { limits } from './limits.ts';

const ExternalSource = z.enum(['vault', 'linkedin', 'crunchbase', 'custom']).meta({ id: 'ExternalSource' });

export const ExternalUri = text(3, limits.external_uri_max_characters).regex(
  /^[A-Za-z][A-Za-z0-9+._-]*:[\s\S]+$/,
  'Not of the form scheme:path',
);

/** The three forms of an entity reference; each is closed, so a mix is refused. */
export const EntityRef = z
  .union([
    z.strictObject({ id: Uuid }).meta({ id: 'EntityById' }),
    z.strictObject({ external_uri: ExternalUri }).meta({ id: 'EntityByUri' }),
    z.strictObject({ external_id: text(1, 500), source: ExternalSource }).meta({ id: 'EntityByExternalId' }),
  ])
  .meta({ id: 'EntityRef' });
export type EntityRef = z.infer<typeof EntityRef>;

/** A record of a workspace. `fields` are the workspace's own. */
export const Entity = z.strictObject({
  id: Uuid,
  workspace_id: Uuid,
  type: text(1, 100),
  name: text(1, 500),
  fields: JsonObject,
  external_uri: ExternalUri.optional(),
  external_id: text(1, 500).optional(),
  source: ExternalSource.optional(),
  created_at: EpochMs,
  updated_at: EpochMs,
});
export type Entity = z.infer<typeof Entity>;

/** A stored record. The table loses the order of a map, but what derives from a record must be stable. */
export const StoredEntity = z.object({ ...Entity.shape }).transform((entity) => ({
  ...entity,
  fields: Object.fromEntries(
    Object.entries(entity.fields).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ),
}));

/** A typed link between two entities, read as `from` `type` `to`. */
export const Relationship = z.strictObject({
  id: Uuid,
  workspace_id: Uuid,
  from_id: Uuid,
  to_id: Uuid,
  type: text(1, 100),
  metadata: JsonObject,
  created_at: EpochMs,
  updated_at: EpochMs,
});
export type Relationship = z.infer<typeof Relationship>;

export const Note = z
  .strictObject({
    id: Uuid,
    object: z.literal('note'),
    title: z.string(),
    content: z.string(),
    run_id: Uuid,
    entity_id: Uuid.nullable(),
    workspace_id: Uuid,
    created_at: EpochMs,
  })
  .meta({ id: 'Note' });
export type Note = z.infer<typeof Note>;

export const ResolveResult = z
  .union([
    z
      .strictObject({
        ref: EntityRef,
        resolved: z.literal(true),
        entity_id: Uuid,
        entity_name: z.string(),
        entity_type: z.string(),
      })
      .meta({ id: 'ResolvedEntity' }),
    z
      .strictObject({
        ref: EntityRef,
        resolved: z.literal(false),
        error: z
          .strictObject({ code: z.literal('entity_not_resolvable'), message: z.string() })
          .meta({ id: 'ResolveError' }),
      })
      .meta({ id: 'UnresolvedEntity' }),
  ])
  .meta({ id: 'ResolveResult' });
export type ResolveResult = z.infer<typeof ResolveResult>;

export const ResolveResults = z
  .strictObject({ results: z.array(ResolveResult) })
  .meta({ id: 'ResolveResults' });

/** A record found by name. */
export const FoundEntity = z
  .strictObject({
    entity_id: Uuid,
    entity_name: z.string(),
    entity_type: z.string(),
    external_uri: z.string().optional(),
  })
  .meta({ id: 'FoundEntity' });
export type FoundEntity = z.infer<typeof FoundEntity>;

export const EntityList = z
  .strictObject({ object: z.literal('list'), data: z.array(FoundEntity) })
  .meta({ id: 'EntityList' });

const Samples = z.array(z.union([z.string(), z.number(), z.boolean()])).max(limits.field_samples_max);

/** A field of the records of a type. `min` and `max` are of its numbers, or of its dates. */
const EntityField = z
  .strictObject({
    field: z.string(),
    kinds: z.array(
      z.enum(['string', 'number', 'boolean', 'date', 'list', 'object']).meta({ id: 'FieldKind' }),
    ),
    count: z.number().int().positive(),
    min: z.union([z.number(), z.string()]).optional(),
    max: z.union([z.number(), z.string()]).optional(),
    samples: Samples,
  })
  .meta({ id: 'EntityField' });

const EntityType = z
  .strictObject({ type: z.string(), count: z.number().int().positive(), fields: z.array(EntityField) })
  .meta({ id: 'EntityType' });
export type EntityType = z.infer<typeof EntityType>;

export const EntityTypeList = z
  .strictObject({ object: z.literal('list'), data: z.array(EntityType) })
  .meta({ id: 'EntityTypeList' });

/** `out`: from the record to the other one. */
export const Direction = z.enum(['out', 'in']).meta({ id: 'Direction' });
export type Direction = z.infer<typeof Direction>;

const EntityRelationship = z
  .strictObject({
    direction: Direction,
    type: z.string(),
    entity_id: Uuid,
    name: z.string(),
    entity_type: z.string(),
  })
  .meta({ id: 'EntityRelationship' });

/** A record as clients read it. */
export const EntityRecord = Entity.omit({ workspace_id: true })
  .extend({
    object: z.literal('entity'),
    relationships: z.array(EntityRelationship).max(limits.entity_relationships_max),
  })
  .meta({ id: 'Entity' });
export type EntityRecord = z.infer<typeof EntityRecord>;

/** One line of an import (rules.md: admin 5). A line without `fields` leaves those of its record. */
export const EntityLine = z
  .strictObject({
    id: Uuid.optional(),
    type: text(1, 100),
    name: text(1, 500),
    fields: JsonObject.optional(),
    external_uri: ExternalUri.optional(),
    external_id: text(1, 500).optional(),
    source: ExternalSource.optional(),
    /** Of a line without id and outside names: its number among those of its type and name (rules.md: admin 12). */
    occurrence: z.number().int().positive().max(1e12).optional(),
  })
  .meta({ id: 'EntityLine' });
export type EntityLine = z.infer<typeof EntityLine>;

/** One line of a `relationship import` file (rules.md: admin 5). */
export const RelationshipLine = z.strictObject({
  from: EntityRef,
  to: EntityRef,
  type: text(1, 100),
  metadata: JsonObject.default({}),
});
export type RelationshipLine = z.infer<typeof RelationshipLine>;

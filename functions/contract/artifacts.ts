// Artifacts: bodies by kind, their summary in a run, and links to the entities they are about.
import * as z from 'zod';
import { Direction } from './entities.ts';
import { EpochMs, Json, JsonObject, Uuid } from './json.ts';

export const ArtifactKind = z.enum(['table', 'text', 'entity_card']).meta({ id: 'ArtifactKind' });
export type ArtifactKind = z.infer<typeof ArtifactKind>;

const LinkRole = z.enum(['subject', 'recipient', 'cc', 'bcc']).meta({ id: 'LinkRole' });
const LinkSource = z.enum(['extractor', 'manual']).meta({ id: 'LinkSource' });
const LinkSourceDetail = z
  .enum(['dossier_subject', 'entity_card_subject', 'email_to', 'email_cc', 'email_bcc', 'user'])
  .meta({ id: 'LinkSourceDetail' });

export const EntityLink = z
  .strictObject({
    entity_id: Uuid,
    role: LinkRole,
    is_primary: z.boolean(),
    source: LinkSource,
    source_detail: LinkSourceDetail,
    content_path: z.string().nullable(),
  })
  .meta({ id: 'EntityLink' });
export type EntityLink = z.infer<typeof EntityLink>;

const common = {
  id: Uuid,
  object: z.literal('artifact'),
  title: z.string(),
  run_id: Uuid,
  created_at: EpochMs,
  entity_refs: z.array(EntityLink).optional(),
};

/** A row of a table, by column. */
export const TableRow = JsonObject;
export type TableRow = z.infer<typeof TableRow>;

const TableArtifact = z
  .strictObject({
    ...common,
    kind: z.literal('table'),
    row_count: z.number().int().nonnegative(),
    columns: z.array(z.string()),
    rows: z.array(TableRow),
  })
  .meta({ id: 'TableArtifact' });

const TextArtifact = z
  .strictObject({ ...common, kind: z.literal('text'), content: z.string() })
  .meta({ id: 'TextArtifact' });

const CardEntity = z
  .strictObject({
    id: Uuid,
    name: z.string(),
    type: z.string(),
    external_uri: z.string().optional(),
    external_id: z.string().optional(),
    source: z.string().optional(),
  })
  .meta({ id: 'CardEntity' });
const CardAttribute = z
  .strictObject({ key: z.string(), label: z.string(), value: Json })
  .meta({ id: 'CardAttribute' });
const CardRelationship = z
  .strictObject({
    entity_id: Uuid,
    name: z.string(),
    type: z.string(),
    relationship_type: z.string(),
    direction: Direction,
    role: z.string().nullable(),
  })
  .meta({ id: 'CardRelationship' });
const CardActivity = z
  .strictObject({ at: EpochMs, text: z.string(), direction: Direction.optional() })
  .meta({ id: 'CardActivity' });

/** Content of an entity card (rules.md: dossier 2). */
export const CardContent = z
  .strictObject({
    entity: CardEntity,
    summary: z.string(),
    attributes: z.array(CardAttribute),
    relationships: z.array(CardRelationship),
    recent_activity: z.array(CardActivity),
    as_of: EpochMs,
  })
  .meta({ id: 'CardContent' });
export type CardContent = z.infer<typeof CardContent>;

const EntityCardArtifact = z
  .strictObject({ ...common, kind: z.literal('entity_card'), content: CardContent })
  .meta({ id: 'EntityCardArtifact' });

export const Artifact = z
  .discriminatedUnion('kind', [TableArtifact, TextArtifact, EntityCardArtifact])
  .meta({ id: 'Artifact' });
export type Artifact = z.infer<typeof Artifact>;

/** An artifact as a run lists it. */
export const ArtifactSummary = z
  .strictObject({
    id: Uuid,
    kind: ArtifactKind,
    title: z.string(),
    row_count: z.number().int().nonnegative().optional(),
  })
  .meta({ id: 'ArtifactSummary' });
export type ArtifactSummary = z.infer<typeof ArtifactSummary>;

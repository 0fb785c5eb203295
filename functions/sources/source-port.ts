// The source port: the retrieval that a step may request, and the items that it returns.
import type { Artifact } from '#contract/artifacts.ts';
import type { FieldSort, SortWord, Where } from '#contract/conditions.ts';
import type { Entity, EntityRef, Note, Relationship } from '#contract/entities.ts';
import type { JsonObject } from '#contract/json.ts';
import type { FoundGroups, FoundLinks, GroupOrder } from '#contract/record-queries.ts';

/**
 * The data between steps: a record, note, artifact, relationship or passage with its fields, a group of records, or an
 * item of a live source (`external`).
 */
export interface Item {
  id: string;
  kind: 'entity' | 'note' | 'artifact' | 'relationship' | 'text' | 'group' | 'external';
  /** The entity type; for other kinds the kind itself. */
  type: string;
  name: string;
  fields: JsonObject;
  score?: number;
  /** Epoch ms; absent on passages and groups. */
  created_at?: number;
  updated_at?: number;
  /** Only in runs that answer as data: the fields that a model wrote, with the step of each. */
  written?: { field: string; step_index: number }[];
  /** Only in runs that answer as data: the measure of a group that counts its records. */
  count_field?: string;
  /** Outside names of a record, where they are asked for: a checkpoint stores its items. Those of `external` stay. */
  external_uri?: string;
  external_id?: string;
  source?: string;
}

/** Which records of a source are meant. */
export interface Selected {
  source: string;
  /** Selects records of these types, and notes and relationships about such records; an empty list selects all. */
  entity_types?: string[] | undefined;
  /** Selects what has at least one of its words; a blank query selects all. */
  query?: string;
  /** For records only. */
  where?: Where | undefined;
}

export interface ItemQuery extends Selected {
  /**
   * Fields sort records only; `relevance` without words is by id, and newest first for notes and artifacts. Absent:
   * `relevance`; for a live source its own order.
   */
  sort?: SortWord | FieldSort[] | undefined;
  limit: number;
}

/** Records that a search could not compare, because another embedding made their vectors, or none yet. */
export interface OutdatedVectors {
  outdated: number;
  /** The model that makes them now. */
  model: string;
}

export interface SimilarQuery extends Omit<Selected, 'query'> {
  limit: number;
  min_score: number;
  onOutdated?: (found: OutdatedVectors) => void;
}

/** The name of a field that records lack, with the most similar name of one that they have. */
export interface MissingField {
  field: string;
  nearest?: string;
}

export interface FoundItems {
  items: Item[];
  /** The exact size of the selection. */
  matched: number;
}

/** What is asked of a live source. */
export interface LiveQuery {
  query: string;
  where?: Where | undefined;
  sort?: SortWord | FieldSort[] | undefined;
  limit: number;
  /** What goes with the query to a worker or a person. */
  work: { title: string; instructions: string; items: WorkItem[] };
}

/** An item of an earlier step that goes with a query to a worker or a person. */
export type WorkItem = Pick<Item, 'name' | 'type' | 'fields'> & { id: string | null };

/**
 * Retrieval over the records that this run may see. Every method is one workspace's view (plus the global one where
 * config allows).
 */
export interface Sources {
  /**
   * Reads a live source; from then on its name means what came (rules.md: sources 2). False: there is none of this
   * name. `ended`: it has no more.
   */
  readLive(source: string, query: LiveQuery): Promise<{ ended: boolean } | false>;
  /** The first items of a source (rules.md: plan 5); null when no such source exists. */
  find(query: ItemQuery): Promise<FoundItems | null>;
  /** The first groups of the records of a source; null when no such source of records exists. */
  group(query: Selected & GroupOrder): Promise<FoundGroups | null>;
  /** Items of a source with the cosine similarity to `text`, best first; null when no such source exists. */
  similar(text: string, query: SimilarQuery): Promise<Item[] | null>;
  /** Those of the fields that no record of the selected types has; none if there is no such record. */
  missingFields(
    selected: Pick<Selected, 'source' | 'entity_types'>,
    fields: string[],
  ): Promise<MissingField[]>;
  /** Makes something of each item that was read, within what the step may read. */
  readEach<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]>;
  /** Active records by id, in the given order; unknown ids are omitted. */
  entities(ids: string[]): Promise<Entity[]>;
  resolve(ref: EntityRef): Promise<Entity | null>;
  /** Relationships of the records, most recently updated first. */
  linksOf(entityIds: string[], limit: number): Promise<FoundLinks>;
  /** The same with the whole relationships. */
  relationshipsOf(
    entityIds: string[],
    limit: number,
  ): Promise<{ relationships: Relationship[]; matched: number }>;
  notes(ids: string[]): Promise<Note[]>;
  artifacts(ids: string[]): Promise<Artifact[]>;
}

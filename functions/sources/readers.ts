// The reads that the sources need, provided by the engine: each call names the one workspace whose data it may return.
import type { Artifact } from '#contract/artifacts.ts';
import type { Entity, EntityRef, Note, Relationship } from '#contract/entities.ts';
import type {
  FieldQuery,
  FindQuery,
  Found,
  FoundFields,
  FoundGroups,
  FoundLinks,
  GroupQuery,
  Hit,
  NearestQuery,
  RelationshipQuery,
  VectorCounts,
} from '#contract/record-queries.ts';
import type { Item, LiveQuery } from './source-port.ts';

/** A view of the records of one workspace. */
export interface RecordView {
  /** Every entity type that has a record, as spelled on the records. */
  types(): Promise<string[]>;
  find(query: FindQuery): Promise<Found>;
  fields(query: FieldQuery): Promise<FoundFields>;
  /** The records nearest to a vector, best first. */
  nearest(query: NearestQuery): Promise<Hit[]>;
  vectorCounts(): Promise<VectorCounts>;
  findLinks(query: RelationshipQuery): Promise<FoundLinks>;
  /** Relationships with one of these records at either end, each once, most recently updated first. */
  linksOf(ids: string[], limit: number): Promise<FoundLinks>;
}

/** What came from a live source. */
export interface LiveView extends Pick<RecordView, 'find' | 'fields'> {
  items: Item[];
  /** Whether the source has no more. */
  ended: boolean;
  /** Fields that the source says its items may have. */
  described: string[];
  group(query: GroupQuery): Promise<FoundGroups>;
}

/** Returns active data only, nothing deleted. Unknown ids are omitted; results have no order unless stated. */
export interface Readers {
  /** Reads a live source of the run's workspace; undefined if there is none of this name. */
  readLive(name: string, query: LiveQuery): Promise<LiveView | undefined>;
  /** Makes something of each item, as a reading of the step. */
  readEach<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]>;
  /** Opens a view of everything written before the call. Throws RecordsBehind when that takes too long. */
  open(workspaceId: string): Promise<RecordView>;
  /** The groups of the records of several workspaces. Throws RecordsBehind. */
  group(workspaceIds: string[], query: GroupQuery): Promise<FoundGroups>;
  entitiesByIds(workspaceId: string, ids: string[]): Promise<Entity[]>;
  relationshipsByIds(workspaceId: string, ids: string[]): Promise<Relationship[]>;
  /** One reference; null when it matches none or several (rules.md: resolve 1). */
  resolve(workspaceId: string, ref: EntityRef): Promise<Entity | null>;
  notesOf(workspaceId: string): Promise<Note[]>;
  notesByIds(workspaceId: string, ids: string[]): Promise<Note[]>;
  /** Newest first. */
  artifactsOf(workspaceId: string, limit: number): Promise<Artifact[]>;
  artifactsByIds(workspaceId: string, ids: string[]): Promise<Artifact[]>;
}

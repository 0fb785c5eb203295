// What the sources need to read, handed in by the engine: each call names the one workspace whose data may come back.
import type { Artifact } from '#contract/artifacts.ts';
import type { Entity, EntityRef, Note, Relationship } from '#contract/entities.ts';

/** Active data only: nothing deleted is returned. Unknown ids are left out; results have no order unless stated. */
export interface Readers {
  /** Every entity type that has a record, as spelled on the records. */
  typesOf(workspaceId: string): Promise<string[]>;
  /** All records, or those of exactly these types. */
  entitiesOf(workspaceId: string, types?: string[]): Promise<Entity[]>;
  entitiesByIds(workspaceId: string, ids: string[]): Promise<Entity[]>;
  /** One reference; null when it matches none or several (rules.md: resolve 1). */
  resolve(workspaceId: string, ref: EntityRef): Promise<Entity | null>;
  /** Vectors of the records that may be nearest to the query, of these types or (null) of all. May return more than asked. */
  vectorsOf(
    workspaceId: string,
    sought: { query: ArrayLike<number>; types: string[] | null },
  ): Promise<{ id: string; vector: Float32Array }[]>;
  relationshipsOf(workspaceId: string): Promise<Relationship[]>;
  /** Relationships with one of these records at either end, each once. */
  relationshipsOfEntities(workspaceId: string, entityIds: string[]): Promise<Relationship[]>;
  notesOf(workspaceId: string): Promise<Note[]>;
  notesByIds(workspaceId: string, ids: string[]): Promise<Note[]>;
  /** Newest first. */
  artifactsOf(workspaceId: string, limit: number): Promise<Artifact[]>;
  artifactsByIds(workspaceId: string, ids: string[]): Promise<Artifact[]>;
}

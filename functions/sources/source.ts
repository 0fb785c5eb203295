// The source port: what retrieval a step may ask for, and the items that come back.
import type { Artifact } from '#contract/artifacts.ts';
import type { Entity, EntityRef, Note, Relationship } from '#contract/entities.ts';
import type { JsonObject } from '#contract/json.ts';

/** What flows between steps: a record, note, artifact, relationship or passage with its fields. */
export interface Item {
  id: string;
  kind: 'entity' | 'note' | 'artifact' | 'relationship' | 'text';
  /** The entity type; for other kinds the kind itself. */
  type: string;
  name: string;
  fields: JsonObject;
  score?: number;
  /** Epoch ms; absent on passages. */
  created_at?: number;
  updated_at?: number;
}

/** Retrieval over the records that this run may see. Every method is one workspace's view (plus the global one where config allows). */
export interface Sources {
  /**
   * Records of a source (rules.md: plan 5), all of them, unranked; null when no such source exists. `entityTypes` keeps records of these
   * types, and notes and relationships about such records; an empty list keeps all.
   */
  list(source: string, entityTypes?: string[]): Promise<Item[] | null>;
  /** Records of a source with the cosine similarity to `text`, best first, at most `limit`; null when no such source exists. */
  similar(
    text: string,
    options: { source: string; limit: number; min_score: number; entity_types?: string[] },
  ): Promise<Item[] | null>;
  /** Active records by id, in the order asked for; unknown ids are left out. */
  entities(ids: string[]): Promise<Entity[]>;
  resolve(ref: EntityRef): Promise<Entity | null>;
  relationshipsOf(entityIds: string[]): Promise<Relationship[]>;
  notes(ids: string[]): Promise<Note[]>;
  artifacts(ids: string[]): Promise<Artifact[]>;
}

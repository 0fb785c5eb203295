// Readers over arrays, and records to put in them.
import type { DatabaseSync } from 'node:sqlite';
import type { Artifact } from '#contract/artifacts.ts';
import type { Entity, Note, Relationship } from '#contract/entities.ts';
import type { JsonObject } from '#contract/json.ts';
import { wordsOf } from '#platform/words.ts';
import { applyChanges } from '#record-index/apply.ts';
import { operations } from '#record-index/index-operations.ts';
import { openFile } from '#record-index/schema.ts';
import { createSources } from '#sources/create-sources.ts';
import type { Readers, RecordView } from '#sources/readers.ts';
import type { Item, Sources } from '#sources/source-port.ts';
import { entityItem, searchText } from '#sources/to-items.ts';

export const HOME = uuid(1);
export const GLOBAL = uuid(2);

/** A UUID that shows which one it is. */
export function uuid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

let made = 100;

/** A record of the workspace, made a second after the one before. */
export function entity(
  type: string,
  name: string,
  fields: JsonObject = {},
  more: Partial<Entity> = {},
): Entity {
  made += 1;
  const at = made * 1000;
  return { id: uuid(made), workspace_id: HOME, type, name, fields, created_at: at, updated_at: at, ...more };
}

export function relationship(
  from: Entity,
  type: string,
  to: Entity,
  metadata: JsonObject = {},
): Relationship {
  made += 1;
  const at = made * 1000;
  return {
    id: uuid(made),
    workspace_id: HOME,
    from_id: from.id,
    to_id: to.id,
    type,
    metadata,
    created_at: at,
    updated_at: at,
  };
}

export function note(title: string, content: string, about: Entity | null = null): Note {
  made += 1;
  return {
    id: uuid(made),
    object: 'note',
    title,
    content,
    run_id: uuid(3),
    entity_id: about?.id ?? null,
    workspace_id: HOME,
    created_at: made * 1000,
  };
}

export function textArtifact(title: string, content: string): Artifact {
  made += 1;
  return {
    id: uuid(made),
    object: 'artifact',
    kind: 'text',
    title,
    content,
    run_id: uuid(3),
    created_at: made * 1000,
  };
}

export interface Data {
  entities?: Entity[];
  relationships?: Relationship[];
  notes?: Note[];
  artifacts?: Artifact[];
}

/** Readers over these records; artifacts are the home workspace's. Every record has the vector of its search text. */
export function memoryReaders({
  entities = [],
  relationships = [],
  notes = [],
  artifacts = [],
}: Data): Readers {
  const inside = <T extends { workspace_id: string }>(all: T[], workspaceId: string) =>
    all.filter((one) => one.workspace_id === workspaceId);
  const withIds = <T extends { id: string }>(all: T[], ids: string[]) =>
    all.filter(({ id }) => ids.includes(id));
  const open = (workspaceId: string) =>
    indexOf(inside(entities, workspaceId), inside(relationships, workspaceId));
  return {
    readLive: async () => undefined,
    open: async (workspaceId) => memoryView(open(workspaceId)),
    group: async ([own = HOME, ...other_files], query) =>
      operations.group(open(own), { query, other_files }, open),
    readEach: async (items, make) => items.map((item) => make(item)),
    entitiesByIds: async (workspaceId, ids) => withIds(inside(entities, workspaceId), ids),
    relationshipsByIds: async (workspaceId, ids) => withIds(inside(relationships, workspaceId), ids),
    resolve: async (workspaceId, ref) =>
      inside(entities, workspaceId).find((one) =>
        'id' in ref ? one.id === ref.id : 'external_uri' in ref && one.external_uri === ref.external_uri,
      ) ?? null,
    notesOf: async (workspaceId) => inside(notes, workspaceId),
    notesByIds: async (workspaceId, ids) => withIds(inside(notes, workspaceId), ids),
    artifactsOf: async (workspaceId, limit) =>
      workspaceId === HOME ? artifacts.toSorted((a, b) => b.created_at - a.created_at).slice(0, limit) : [],
    artifactsByIds: async (workspaceId, ids) => (workspaceId === HOME ? withIds(artifacts, ids) : []),
  };
}

/** A view that the index itself answers, over a file in memory. */
function memoryView(database: DatabaseSync): RecordView {
  return {
    types: async () => operations.types(database),
    find: async (query) => operations.find(database, query),
    fields: async (query) => operations.fields(database, query),
    nearest: async (query) => operations.nearest(database, query),
    vectorCounts: async () => operations.vectorCounts(database),
    findLinks: async (query) => operations.findLinks(database, query),
    linksOf: async (ids, limit) => operations.linksOf(database, { ids, limit }),
  };
}

function indexOf(entities: Entity[], relationships: Relationship[]): DatabaseSync {
  const database = openFile(':memory:');
  const records = entities.map((one) => ({ entity: one, vector: vectorOf(searchText(entityItem(one))) }));
  applyChanges(database, { records, relationships, gone_records: [], gone_relationships: [] });
  return database;
}

/** Everything of a source, unranked; null for an unknown source. */
export async function listed(
  sources: Sources,
  source: string,
  entity_types?: string[],
): Promise<Item[] | null> {
  const found = await sources.find({ source, entity_types, sort: 'relevance', limit: 10_000 });
  return found === null ? null : found.items;
}

/** Counts words into 64 places: enough for texts that share words to be alike. */
export function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(64);
  for (const word of wordsOf(text)) {
    let hash = 7;
    for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9973;
    vector[hash % 64] = (vector[hash % 64] ?? 0) + 1;
  }
  return vector;
}

/** Sources of a run in the home workspace. */
export function sourcesOver(data: Data, config: { xray?: boolean; global_search?: boolean } = {}): Sources {
  const { xray = false, global_search = false } = config;
  return createSources(memoryReaders(data), {
    workspace_id: HOME,
    global_workspace_id: xray || global_search ? GLOBAL : null,
    xray,
    embed: async (texts) => texts.map((text) => [...vectorOf(text)]),
    embedding_model: 'offline',
    rebuildVectors: async () => undefined,
  });
}

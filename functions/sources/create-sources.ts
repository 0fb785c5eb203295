// Retrieval for one run: puts records, notes, relationships and artifacts behind the source port.
import type { Entity } from '#contract/entities.ts';
import { artifactItem, entityItem, noteItem, relationshipItem, searchText } from './items.ts';
import { fixedSource } from './names.ts';
import type { Readers } from './readers.ts';
import {
  entitiesByIds,
  isOneOf,
  readRecords,
  recordsOf,
  type Scope,
  similarRecords,
  visibleTo,
} from './records.ts';
import { nearest } from './similarity.ts';
import type { Item, Sources } from './source.ts';

/** How many artifacts, newest first, count as the source `artifacts`. */
const ARTIFACTS_MAX = 1000;

/** The sources of one run (rules.md: plan 5). They throw only what the readers and `embed` throw. */
export function createSources(readers: Readers, scope: Scope): Sources {
  return {
    list: (source, entityTypes = []) => list(readers, scope, source, entityTypes),
    similar: (text, options) => similar(readers, scope, text, options),
    entities: (ids) => entitiesByIds(readers, scope, ids),
    resolve: (ref) => readers.resolve(scope.workspace_id, ref),
    relationshipsOf: async (ids) =>
      (await Promise.all(visibleTo(scope).map((id) => readers.relationshipsOfEntities(id, ids)))).flat(),
    notes: (ids) => readers.notesByIds(scope.workspace_id, ids),
    artifacts: (ids) => readers.artifactsByIds(scope.workspace_id, ids),
  };
}

async function list(
  readers: Readers,
  scope: Scope,
  source: string,
  entityTypes: string[],
): Promise<Item[] | null> {
  switch (fixedSource(source)) {
    case 'notes':
      return notes(readers, scope, entityTypes);
    case 'relationships':
      return relationships(readers, scope, entityTypes);
    case 'artifacts':
      // An artifact has no entity type, so a filter by type matches none.
      if (entityTypes.length > 0) return [];
      return (await readers.artifactsOf(scope.workspace_id, ARTIFACTS_MAX)).map(artifactItem);
    default: {
      const records = await recordsOf(readers, scope, source, entityTypes);
      return records && (await readRecords(readers, records)).map(entityItem);
    }
  }
}

async function similar(
  readers: Readers,
  scope: Scope,
  text: string,
  options: Parameters<Sources['similar']>[1],
): Promise<Item[] | null> {
  const { source, limit, min_score, entity_types = [] } = options;
  const fixed = fixedSource(source);
  if (fixed === 'notes' || fixed === 'relationships' || fixed === 'artifacts')
    return similarItems(scope, text, (await list(readers, scope, source, entity_types)) ?? [], options);
  const records = await recordsOf(readers, scope, source, entity_types);
  if (!records) return null;
  const [query] = await scope.embed([text]);
  return query ? similarRecords(readers, scope, records, query, { limit, min_score }) : [];
}

/** For items without stored vectors: embeds them in the same call as the text. */
async function similarItems(
  scope: Scope,
  text: string,
  items: Item[],
  best: { limit: number; min_score: number },
): Promise<Item[]> {
  if (items.length === 0) return [];
  const [query, ...vectors] = await scope.embed([text, ...items.map(searchText)]);
  const embedded = items.map(({ id }, i) => ({ id, vector: vectors[i] ?? [] }));
  const known = new Map(items.map((item) => [item.id, item]));
  return nearest(query ?? [], embedded, best.min_score)
    .slice(0, best.limit)
    .flatMap(({ id, score }) => {
      const item = known.get(id);
      return item ? [{ ...item, score }] : [];
    });
}

async function notes(readers: Readers, scope: Scope, entityTypes: string[]): Promise<Item[]> {
  const all = await readers.notesOf(scope.workspace_id);
  const subjects = await lookup(
    readers,
    scope,
    all.flatMap((note) => note.entity_id ?? []),
  );
  return all.flatMap((note) => {
    const subject = note.entity_id ? subjects.get(note.entity_id) : undefined;
    return isAbout(entityTypes, subject) ? [noteItem(note, subject)] : [];
  });
}

async function relationships(readers: Readers, scope: Scope, entityTypes: string[]): Promise<Item[]> {
  const all = await readers.relationshipsOf(scope.workspace_id);
  const ends = await lookup(
    readers,
    scope,
    all.flatMap(({ from_id, to_id }) => [from_id, to_id]),
  );
  return all.flatMap((relationship) => {
    const [from, to] = [ends.get(relationship.from_id), ends.get(relationship.to_id)];
    // A deleted end could not be linked.
    if (!from || !to || !isAbout(entityTypes, from, to)) return [];
    return [relationshipItem(relationship, from, to)];
  });
}

function isAbout(entityTypes: string[], ...subjects: (Entity | undefined)[]): boolean {
  return (
    entityTypes.length === 0 || subjects.some((subject) => subject && isOneOf(subject.type, entityTypes))
  );
}

async function lookup(readers: Readers, scope: Scope, ids: string[]): Promise<Map<string, Entity>> {
  return new Map((await entitiesByIds(readers, scope, ids)).map((entity) => [entity.id, entity]));
}

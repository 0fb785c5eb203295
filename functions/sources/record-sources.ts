// The sources of records: the workspaces and types that a name stands for, and the records that a query selects there.
import { readField } from '#contract/conditions.ts';
import { type EmbeddingOf, outdatedIn, storedVectorOf } from '#contract/embeddings.ts';
import { type Entity, StoredEntity } from '#contract/entities.ts';
import type { FoundGroups, GroupOrder, Hit, Selection } from '#contract/record-queries.ts';
import { fixedSource, sameType } from '#contract/source-names.ts';
import { contentWords } from '#platform/words.ts';
import { mergeFound } from './merge.ts';
import { nearestOf } from './nearest-field.ts';
import type { Readers, RecordView } from './readers.ts';
import type { FoundItems, Item, ItemQuery, MissingField, Selected, SimilarQuery } from './source-port.ts';
import { namedItem } from './to-items.ts';

/** What a run may read, and how it turns texts into vectors. */
export interface Scope {
  workspace_id: string;
  /** Set when the run's config has `xray` or `global_search`, else null. */
  global_workspace_id: string | null;
  /** Whether `entities` and the entity types also draw from the global workspace (rules.md: plan 7). */
  xray: boolean;
  /** One vector per text, same order. May throw ModelError. */
  embed(texts: string[]): Promise<number[][]>;
  /** The model that makes them. */
  embedding_model: string;
  /** Has the vectors of a workspace made again by this embedding. */
  rebuildVectors(workspaceId: string, embedding: EmbeddingOf): Promise<void>;
}

/** A selection over one or two workspaces. */
interface Records {
  workspace_ids: string[];
  views: RecordView[];
  selection: Selection;
}

/** The workspaces that the run may read, its own first. */
export function visibleTo(scope: Scope): string[] {
  return [scope.workspace_id, ...(scope.global_workspace_id ? [scope.global_workspace_id] : [])];
}

/**
 * The records that a source name stands for, narrowed by types, words and condition; null when no such source exists.
 */
async function recordsOf(
  readers: Readers,
  scope: Scope,
  { source, entity_types = [], query = '', where }: Selected,
): Promise<Records | null> {
  const fixed = fixedSource(source);
  if (fixed === 'global' && !scope.global_workspace_id) return null;
  const visible = visibleTo(scope);
  const workspaceIds = fixed === 'global' ? visible.slice(1) : scope.xray ? visible : [scope.workspace_id];
  const views = await Promise.all(workspaceIds.map((workspaceId) => readers.open(workspaceId)));
  const records = { workspace_ids: workspaceIds, views };
  const selection = {
    where,
    words: searchTerms(query),
    // When the source already is the type, its name adds nothing.
    type_is_word: fixed !== undefined,
  };
  if (fixed && entity_types.length === 0) return { ...records, selection: { ...selection, types: null } };
  const known = new Set((await Promise.all(views.map((view) => view.types()))).flat());
  const named = [...known].filter((type) => fixed || sameType(type, source));
  if (!fixed && named.length === 0) return null;
  const types = named.filter((type) => isOneOf(type, entity_types));
  return { ...records, selection: { ...selection, types } };
}

/** The words that select; undefined: none are asked for. */
export const searchTerms = (query: string): string[] | undefined =>
  query.trim() === '' ? undefined : [...new Set(contentWords(query))];

/** The first records of a selection, as items with their outside names. */
export async function findRecords(
  readers: Readers,
  scope: Scope,
  query: ItemQuery,
): Promise<FoundItems | null> {
  const records = await recordsOf(readers, scope, query);
  if (!records) return null;
  const { sort = 'relevance', limit } = query;
  const found = await Promise.all(
    records.views.map((view) => view.find({ ...records.selection, sort, limit })),
  );
  const { hits, matched } = mergeFound(found, { sort, limit });
  return { items: await toItems(hits), matched };
}

/** The first groups of a selection. */
export async function groupRecords(
  readers: Readers,
  scope: Scope,
  query: Selected & GroupOrder,
): Promise<FoundGroups | null> {
  const records = await recordsOf(readers, scope, query);
  if (!records) return null;
  const { group_by, measures, sort, limit } = query;
  return readers.group(records.workspace_ids, { ...records.selection, group_by, measures, sort, limit });
}

/** Fields that no selected record has, whatever condition it meets. */
export async function missingFields(
  readers: Readers,
  scope: Scope,
  selected: Pick<Selected, 'source' | 'entity_types'>,
  fields: string[],
): Promise<MissingField[]> {
  const records = fields.length > 0 ? await recordsOf(readers, scope, selected) : null;
  return records ? missingFrom(records.views, records.selection.types, fields) : [];
}

/** Fields that no record of these types has in any of the views. */
export async function missingFrom(
  views: Pick<RecordView, 'fields'>[],
  types: string[] | null,
  fields: string[],
): Promise<MissingField[]> {
  const paths = fields.flatMap((field) => {
    const named = readField(field);
    return 'path' in named ? [{ field, path: named.path }] : [];
  });
  if (paths.length === 0) return [];
  const found = await Promise.all(
    views.map((view) => view.fields({ types, paths: paths.map(({ path }) => path) })),
  );
  if (!found.some(({ has_records }) => has_records)) return [];
  const nearest = nearestOf([...new Set(found.flatMap((one) => one.known))]);
  const missing = paths.filter(({ path }) => found.every((one) => one.missing.includes(path)));
  const suggested = missing.slice(0, SUGGESTIONS_MAX).map(({ path }) => nearest(path));
  return missing.map(({ field }, i) => {
    const suggestion = suggested[i];
    return suggestion === undefined ? { field } : { field, nearest: suggestion };
  });
}

/** The first fields that are missing get a suggestion: each is compared with many names. */
const SUGGESTIONS_MAX = 20;

/** The records of a selection that are most similar to a text, as items with their outside names. */
export async function similarRecords(
  readers: Readers,
  scope: Scope,
  text: string,
  query: SimilarQuery,
): Promise<Item[] | null> {
  const records = await recordsOf(readers, scope, query);
  if (!records) return null;
  const [vector] = await scope.embed([text]);
  if (!vector) return [];
  const { limit, min_score } = query;
  const model = scope.embedding_model;
  const vector_of = storedVectorOf(model, vector);
  const sought = {
    ...records.selection,
    vector,
    ...(vector_of !== undefined && { vector_of }),
    limit,
    min_score,
  };
  const [near] = await Promise.all([
    Promise.all(records.views.map((view) => view.nearest(sought))),
    tellOutdated(records, scope, { model, dimensions: vector.length }, query),
  ]);
  const best = near.flat().toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0));
  return toItems(best.slice(0, limit));
}

/** Tells of vectors that another embedding made, and has them made again (rules.md: vectors 1). */
async function tellOutdated(
  { workspace_ids, views }: Records,
  scope: Scope,
  embedding: EmbeddingOf,
  { onOutdated }: SimilarQuery,
): Promise<void> {
  const counts = await Promise.all(views.map((view) => view.vectorCounts()));
  const outdated = counts.map((count) => outdatedIn(count, embedding));
  const total = outdated.reduce((sum, one) => sum + one, 0);
  if (total === 0) return;
  onOutdated?.({ outdated: total, model: embedding.model });
  const concerned = workspace_ids.filter((_, i) => outdated[i] !== 0);
  await Promise.all(concerned.map((id) => scope.rebuildVectors(id, embedding)));
}

/** The records of the hits, as items. */
function toItems(hits: Hit[]): Item[] {
  return hits.map(({ body, score }) => ({
    ...namedItem(StoredEntity.parse(JSON.parse(body))),
    ...(score !== undefined && { score }),
  }));
}

/**
 * Records by id, in the order of the ids. Reads the global workspace only for ids that the run's own workspace lacks.
 */
export async function entitiesByIds(readers: Readers, scope: Scope, ids: string[]): Promise<Entity[]> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, Entity>();
  for (const workspaceId of visibleTo(scope)) {
    const missing = wanted.filter((id) => !found.has(id));
    if (missing.length === 0) break;
    for (const entity of await readers.entitiesByIds(workspaceId, missing)) found.set(entity.id, entity);
  }
  return wanted.flatMap((id) => found.get(id) ?? []);
}

/** Whether a type is among those named; an empty list matches every type. */
export function isOneOf(type: string, entityTypes: string[]): boolean {
  return entityTypes.length === 0 || entityTypes.some((name) => sameType(name, type));
}

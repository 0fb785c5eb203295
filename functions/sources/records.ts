// The entity side of the sources: which workspaces and types a name stands for, and reading those records.
import type { Entity } from '#contract/entities.ts';
import { entityItem } from './items.ts';
import { fixedSource, sameType } from './names.ts';
import type { Readers } from './readers.ts';
import { nearest } from './similarity.ts';
import type { Item } from './source.ts';

/** What a run may read, and how it turns texts into vectors. */
export interface Scope {
  workspace_id: string;
  /** Set when the run's config has `xray` or `global_search`, else null. */
  global_workspace_id: string | null;
  /** Whether `entities` and the entity types also draw from the global workspace (rules.md: plan 7). */
  xray: boolean;
  /** One vector per text, same order. May throw ModelError. */
  embed(texts: string[]): Promise<ArrayLike<number>[]>;
}

/** Records of one or two workspaces, of some types or (null) of all. */
export interface Records {
  workspaceIds: string[];
  types: string[] | null;
}

/** The workspaces that the run may read at all, its own first. */
export function visibleTo(scope: Scope): string[] {
  return [scope.workspace_id, ...(scope.global_workspace_id ? [scope.global_workspace_id] : [])];
}

/** The records that a source name stands for, limited to `entityTypes` unless that is empty; null when no such source exists. */
export async function recordsOf(
  readers: Readers,
  scope: Scope,
  source: string,
  entityTypes: string[],
): Promise<Records | null> {
  const fixed = fixedSource(source);
  if (fixed === 'global' && !scope.global_workspace_id) return null;
  const visible = visibleTo(scope);
  const workspaceIds = fixed === 'global' ? visible.slice(1) : scope.xray ? visible : [scope.workspace_id];
  if (fixed && entityTypes.length === 0) return { workspaceIds, types: null };
  const known = new Set((await Promise.all(workspaceIds.map((id) => readers.typesOf(id)))).flat());
  const named = [...known].filter((type) => fixed || sameType(type, source));
  if (!fixed && named.length === 0) return null;
  return { workspaceIds, types: named.filter((type) => isOneOf(type, entityTypes)) };
}

/** All of these records. */
export async function readRecords(readers: Readers, { workspaceIds, types }: Records): Promise<Entity[]> {
  if (types?.length === 0) return [];
  return (await Promise.all(workspaceIds.map((id) => readers.entitiesOf(id, types ?? undefined)))).flat();
}

/** Records by id, in the order of the ids. Asks the global workspace only for ids that the run's own workspace lacks. */
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

/** The records whose stored vectors are nearest to the query's; reads records batch by batch until `limit` are found. */
export async function similarRecords(
  readers: Readers,
  scope: Scope,
  records: Records,
  query: ArrayLike<number>,
  best: { limit: number; min_score: number },
): Promise<Item[]> {
  const wanted = records.types && new Set((await readRecords(readers, records)).map(({ id }) => id));
  const sought = { query, types: records.types };
  const vectors = (await Promise.all(records.workspaceIds.map((id) => readers.vectorsOf(id, sought)))).flat();
  const ranked = nearest(
    query,
    wanted ? vectors.filter(({ id }) => wanted.has(id)) : vectors,
    best.min_score,
  );
  const found: Item[] = [];
  for (let start = 0; start < ranked.length && found.length < best.limit; start += best.limit) {
    const scores = new Map(ranked.slice(start, start + best.limit).map(({ id, score }) => [id, score]));
    for (const entity of await entitiesByIds(readers, scope, [...scores.keys()]))
      found.push({ ...entityItem(entity), score: scores.get(entity.id) ?? 0 });
  }
  return found.slice(0, best.limit);
}

/** Whether a type is among those named; an empty list matches every type. */
export function isOneOf(type: string, entityTypes: string[]): boolean {
  return entityTypes.length === 0 || entityTypes.some((name) => sameType(name, type));
}

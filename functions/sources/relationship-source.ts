// The source `relationships`, and the relationships around records.
import type { Relationship } from '#contract/entities.ts';
import type { FoundLinks, Link } from '#contract/record-queries.ts';
import { contentWords, wordsOf } from '#platform/words.ts';
import type { Readers } from './readers.ts';
import { isOneOf, type Scope, visibleTo } from './record-sources.ts';
import type { FoundItems, ItemQuery } from './source-port.ts';
import { relationshipItem } from './to-items.ts';

/** A word that finds every relationship. */
const [KIND_WORD] = wordsOf('relationship');

/**
 * The first relationships of the run's workspace that are about records of these types and have at least one of the
 * words.
 */
export async function findRelationships(
  readers: Readers,
  scope: Scope,
  { entity_types = [], query = '', sort, limit }: Omit<ItemQuery, 'source'>,
): Promise<FoundItems> {
  const view = await readers.open(scope.workspace_id);
  const words = contentWords(query);
  const types =
    entity_types.length > 0 ? (await view.types()).filter((type) => isOneOf(type, entity_types)) : null;
  const { links, matched } = await view.findLinks({
    words: query.trim() === '' || words.some((word) => word === KIND_WORD) ? undefined : [...new Set(words)],
    types,
    sort: typeof sort === 'string' ? sort : 'relevance',
    limit,
  });
  const [whole, ends] = await Promise.all([
    wholeOf(readers, scope.workspace_id, links),
    readers.entitiesByIds(scope.workspace_id, [
      ...new Set(links.flatMap(({ from_id, to_id }) => [from_id, to_id])),
    ]),
  ]);
  const byId = new Map(whole.map((relationship) => [relationship.id, relationship]));
  const entityOf = new Map(ends.map((entity) => [entity.id, entity]));
  const items = links.flatMap(({ id, score }) => {
    const relationship = byId.get(id);
    const [from, to] = [relationship?.from_id, relationship?.to_id].map((end) => entityOf.get(end ?? ''));
    // A relationship that is gone or has lost an end was deleted after the index was read.
    if (!relationship || !from || !to) return [];
    return [{ ...relationshipItem(relationship, from, to), ...(score !== undefined && { score }) }];
  });
  return { items, matched: matched - (links.length - items.length) };
}

function wholeOf(readers: Readers, workspaceId: string, links: Link[]): Promise<Relationship[]> {
  return readers.relationshipsByIds(
    workspaceId,
    links.map(({ id }) => id),
  );
}

/** The relationships of the records in all workspaces that the run may read, most recently updated first. */
export async function linksAround(
  readers: Readers,
  scope: Scope,
  ids: string[],
  limit: number,
): Promise<FoundLinks & { byWorkspace: Map<string, Link[]> }> {
  const found = await Promise.all(
    visibleTo(scope).map(
      async (workspaceId) =>
        [workspaceId, await (await readers.open(workspaceId)).linksOf(ids, limit)] as const,
    ),
  );
  return {
    links: found.flatMap(([, { links }]) => links),
    matched: found.reduce((sum, [, { matched }]) => sum + matched, 0),
    byWorkspace: new Map(found.map(([workspaceId, { links }]) => [workspaceId, links])),
  };
}

/** The same with the whole relationships. */
export async function relationshipsAround(
  readers: Readers,
  scope: Scope,
  ids: string[],
  limit: number,
): Promise<{ relationships: Relationship[]; matched: number }> {
  const { links, byWorkspace, matched } = await linksAround(readers, scope, ids, limit);
  const read = await Promise.all(
    [...byWorkspace].map(([workspaceId, some]) => wholeOf(readers, workspaceId, some)),
  );
  const newest = read.flat().toSorted((left, right) => right.updated_at - left.updated_at);
  return { relationships: newest.slice(0, limit), matched: matched - (links.length - newest.length) };
}

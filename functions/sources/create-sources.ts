// Retrieval for one run: puts records, notes, relationships and artifacts behind the source port.
import type { Entity } from '#contract/entities.ts';
import { fixedSource, isListed } from '#contract/source-names.ts';
import { findLive, groupLive, missingLive } from './live-source.ts';
import type { LiveView, Readers } from './readers.ts';
import {
  entitiesByIds,
  findRecords,
  groupRecords,
  isOneOf,
  missingFields,
  type Scope,
  similarRecords,
} from './record-sources.ts';
import { findRelationships, linksAround, relationshipsAround } from './relationship-source.ts';
import { selectListed, similarListed } from './select-listed.ts';
import type { FoundItems, Item, ItemQuery, SimilarQuery, Sources } from './source-port.ts';
import { artifactItem, noteItem } from './to-items.ts';

/** How many artifacts, newest first, count as the source `artifacts`. */
const ARTIFACTS_MAX = 1000;
/** How many relationships, newest first, are compared with a text: they have no stored vector. */
const COMPARED_MAX = 1000;

/** The sources of one run (rules.md: plan 5). They throw only what the readers and `embed` throw. */
export function createSources(readers: Readers, scope: Scope): Sources {
  const live = new Map<string, LiveView>();
  return {
    async readLive(source, query) {
      const view = await readers.readLive(source, query);
      if (!view) return false;
      live.set(source, view);
      return { ended: view.ended };
    },
    async find(query) {
      const view = live.get(query.source);
      return view ? findLive(view, query) : find(readers, scope, query);
    },
    async group(query) {
      const view = live.get(query.source);
      if (view) return groupLive(view, query);
      return isListed(query.source) ? null : groupRecords(readers, scope, query);
    },
    async missingFields(selected, fields) {
      const view = live.get(selected.source);
      if (view) return missingLive(view, selected, fields);
      return isListed(selected.source) ? [] : missingFields(readers, scope, selected, fields);
    },
    similar: (text, query) => similar(readers, scope, text, query),
    readEach: (items, make) => readers.readEach(items, make),
    entities: (ids) => entitiesByIds(readers, scope, ids),
    resolve: (ref) => readers.resolve(scope.workspace_id, ref),
    linksOf: (ids, limit) => linksAround(readers, scope, ids, limit),
    relationshipsOf: (ids, limit) => relationshipsAround(readers, scope, ids, limit),
    notes: (ids) => readers.notesByIds(scope.workspace_id, ids),
    artifacts: (ids) => readers.artifactsByIds(scope.workspace_id, ids),
  };
}

async function find(readers: Readers, scope: Scope, query: ItemQuery): Promise<FoundItems | null> {
  switch (fixedSource(query.source)) {
    case 'notes':
      return selectListed(await notes(readers, scope, query.entity_types), query);
    case 'artifacts':
      return selectListed(await artifacts(readers, scope, query.entity_types), query);
    case 'relationships':
      return findRelationships(readers, scope, query);
    default:
      return findRecords(readers, scope, query);
  }
}

async function similar(
  readers: Readers,
  scope: Scope,
  text: string,
  query: SimilarQuery,
): Promise<Item[] | null> {
  if (!isListed(query.source)) return similarRecords(readers, scope, text, query);
  const newest = { ...query, sort: 'created_desc' as const, limit: COMPARED_MAX };
  const found = await find(readers, scope, newest);
  return similarListed(text, found?.items ?? [], scope.embed, query);
}

async function notes(readers: Readers, scope: Scope, entityTypes: string[] = []): Promise<Item[]> {
  const all = await readers.notesOf(scope.workspace_id);
  const ids = all.flatMap((note) => note.entity_id ?? []);
  const subjects = new Map(
    (await entitiesByIds(readers, scope, ids)).map((entity): [string, Entity] => [entity.id, entity]),
  );
  return all.flatMap((note) => {
    const subject = note.entity_id ? subjects.get(note.entity_id) : undefined;
    const isAbout = entityTypes.length === 0 || (subject && isOneOf(subject.type, entityTypes));
    return isAbout ? [noteItem(note, subject)] : [];
  });
}

async function artifacts(readers: Readers, scope: Scope, entityTypes: string[] = []): Promise<Item[]> {
  // An artifact has no entity type, so a filter by type matches none.
  if (entityTypes.length > 0) return [];
  return (await readers.artifactsOf(scope.workspace_id, ARTIFACTS_MAX)).map(artifactItem);
}

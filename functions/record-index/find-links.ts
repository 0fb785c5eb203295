// Relationships in the index: those of records, and lists of them.
import type { DatabaseSync } from 'node:sqlite';
import type { FoundLinks, Link, RecordLink, RelationshipQuery } from '#contract/record-queries.ts';
import { bodyOf } from './record-bodies.ts';

/** The relationships that touch one of the records whose ids are bound. */
const TOUCHING = `relationships WHERE go_on() AND rid IN (
  SELECT l.rid FROM json_each($seeds) seed JOIN relationships l ON l.from_id = seed.value
  UNION SELECT l.rid FROM json_each($seeds) seed JOIN relationships l ON l.to_id = seed.value
)`;

/** The same for one id. */
const TOUCHING_ONE = `(SELECT * FROM relationships WHERE from_id = $id
  UNION ALL SELECT * FROM relationships WHERE to_id = $id AND from_id <> $id)`;

/** Relationships with one of the records at either end, each once, most recently updated first. */
export function linksOf(database: DatabaseSync, ids: string[], limit: number): FoundLinks {
  const seeds = JSON.stringify(ids);
  const links = database
    .prepare(`SELECT id, type, from_id, to_id FROM ${TOUCHING} ORDER BY updated_at DESC, id LIMIT $limit`)
    .all({ seeds, limit })
    .map(toLink);
  const count = () => Number(database.prepare(`SELECT count(*) AS n FROM ${TOUCHING}`).get({ seeds })?.n);
  return { links, matched: links.length < limit ? links.length : count() };
}

/**
 * A record as JSON with its relationships, most recently updated first; undefined if it does not exist. One to itself
 * is listed once.
 */
export function recordWithLinks(
  database: DatabaseSync,
  id: string,
  limit: number,
): { body: string; links: RecordLink[] } | undefined {
  const record = database.prepare('SELECT rid FROM records WHERE id = ?').get(id);
  if (!record) return undefined;
  const body = bodyOf(database, Number(record.rid));
  const links = database
    .prepare(
      `SELECT l.type, l.from_id, o.id, o.name, o.type AS entity_type FROM ${TOUCHING_ONE} l
       JOIN records o ON o.id = iif(l.from_id = $id, l.to_id, l.from_id) ORDER BY l.updated_at DESC, l.id LIMIT $limit`,
    )
    .all({ id, limit })
    .map(
      (row): RecordLink => ({
        direction: row.from_id === id ? 'out' : 'in',
        type: String(row.type),
        entity_id: String(row.id),
        name: String(row.name),
        entity_type: String(row.entity_type),
      }),
    );
  return { body, links };
}

/** The first relationships of a selection whose both ends exist, and how many there are. */
export function findLinks(
  database: DatabaseSync,
  { words, types, sort, limit }: RelationshipQuery,
): FoundLinks {
  if (words?.length === 0 || types?.length === 0) return { links: [], matched: 0 };
  const match = words?.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
  const from = `${match === undefined ? '' : 'relationship_words CROSS JOIN '}relationships r ${match === undefined ? '' : 'ON r.rid = relationship_words.rowid'}
    JOIN records a ON a.id = r.from_id JOIN records b ON b.id = r.to_id`;
  const ofType = types && `(a.type IN (${types.map(() => '?')}) OR b.type IN (${types.map(() => '?')}))`;
  const conditions = [
    'go_on()',
    ...(match === undefined ? [] : ['relationship_words MATCH ?']),
    ...(ofType ? [ofType] : []),
  ];
  const where = `WHERE ${conditions.join(' AND ')}`;
  const values = [...(match === undefined ? [] : [match]), ...(types ? [...types, ...types] : [])];
  const score = match === undefined ? 'NULL' : '-bm25(relationship_words)';
  const links = database
    .prepare(
      `SELECT r.id, r.type, r.from_id, r.to_id, ${score} AS score FROM ${from} ${where} ORDER BY ${orderOf(sort, match !== undefined)} LIMIT ?`,
    )
    .all(...values, limit)
    .map((row) => ({ ...toLink(row), ...(typeof row.score === 'number' && { score: row.score }) }));
  const count = () =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${from} ${where}`).get(...values)?.n);
  return { links, matched: links.length < limit ? links.length : count() };
}

function orderOf(sort: RelationshipQuery['sort'], ranked: boolean): string {
  switch (sort) {
    case 'relevance':
      return ranked ? 'score DESC, r.id' : 'r.id';
    case 'updated_desc':
      return 'r.updated_at DESC, r.id';
    case 'created_desc':
      return 'r.created_at DESC, r.id';
    case 'name_asc':
      return 'a.name_key, r.type, b.name_key, r.id';
  }
}

function toLink(row: Record<string, unknown>): Link {
  return {
    id: String(row.id),
    type: String(row.type),
    from_id: String(row.from_id),
    to_id: String(row.to_id),
  };
}

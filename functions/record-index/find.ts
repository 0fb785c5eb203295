// Finding records: selection, order and exact count as SQL.
import type { DatabaseSync } from 'node:sqlite';
import type { FindQuery, Found, Hit, NearestQuery, Selection } from '#contract/record-queries.ts';
import { lacks, requireParts } from './absent.ts';
import { type FoundRids, findOnce } from './found-once.ts';
import { checkReading } from './reading.ts';
import { fromStored, type Stored } from './values.ts';
import { type Counting, nearestVectors } from './vectors.ts';
import { compileWhere, fieldValue, type Sql, sortable } from './where.ts';
import { bestRanked, wordQuery } from './words.ts';

/** What to put after FROM and WHERE, and how well a row matches the words. */
interface Selected {
  from: string;
  where: string;
  values: Stored[];
  rank: string | undefined;
}

/**
 * The records of a selection. Undefined: nothing can be selected. `mayBeWords`: without the records where the words
 * alone select, because reading such a row takes less than looking its record up.
 */
export function selectionOf(
  database: DatabaseSync,
  { types, where, words, type_is_word = false }: Selection,
  { mayBeWords = false } = {},
): Selected | undefined {
  if (types?.length === 0 || words?.length === 0) return undefined;
  const query = words && wordQuery(database, { words, types, type_is_word });
  const rank = query?.rank;
  if (mayBeWords && query?.hasTypes && !where)
    return { from: 'words', where: 'WHERE words MATCH ?', values: [query.match], rank };
  const parts: Sql[] = [someRowsCheck()];
  if (query) parts.push({ text: 'words MATCH ?', values: [query.match] });
  if (types && !query?.hasTypes)
    parts.push({ text: `r.type IN (${types.map(() => '?').join(', ')})`, values: types });
  if (where) parts.push(compileWhere(database, where));
  // Without its indexes the table alone answers, in more time.
  const records = `records r${lacks(database, 'lookups') ? ' NOT INDEXED' : ''}`;
  return {
    from: words ? `words CROSS JOIN ${records} ON r.rid = words.rowid` : records,
    where: `WHERE ${parts.map(({ text }) => text).join(' AND ')}`,
    values: parts.flatMap(({ values }) => values),
    rank,
  };
}

/**
 * Checks the reading now, and by a condition at one row in 16, because a call from SQL takes longer than most rows.
 * Which rows follows from a random number, so that no choice of records escapes the checks.
 */
function someRowsCheck(): Sql {
  checkReading();
  const factor = 2 * Math.floor(Math.random() * 2 ** 30) + 1;
  return { text: '(((r.rid * ?) >> 20) & 15 <> 0 OR go_on())', values: [factor] };
}

/** The first records of a selection in order, and the size of the selection. */
export function findRecords(database: DatabaseSync, query: FindQuery): Found {
  const isRanked = query.sort === 'relevance' && query.words;
  return findOnce(database, query, () =>
    isRanked ? mostRelevant(database, query) : inOrder(database, query),
  );
}

function inOrder(database: DatabaseSync, query: FindQuery): FoundRids {
  const selection = selectionOf(database, query);
  if (!selection) return { hits: [], matched: 0 };
  const { keys, order } = orderOf(database, query.sort);
  const score = selection.rank ? `-${selection.rank}` : 'NULL';
  const columns = ['r.rid', 'r.id', `${score} AS score`, ...keys].join(', ');
  const rows = database
    .prepare(`SELECT ${columns} FROM ${selection.from} ${selection.where} ORDER BY ${order} LIMIT ?`)
    .all(...selection.values, query.limit);
  const hits = rows.map((row) => toHit(row, keys.length));
  return { hits, matched: hits.length < query.limit ? hits.length : countRecords(database, query) };
}

/** The records that match the words best; ties by id. */
function mostRelevant(database: DatabaseSync, query: FindQuery): FoundRids {
  const selection = selectionOf(database, query, { mayBeWords: true });
  if (!selection) return { hits: [], matched: 0 };
  const { from, where, values, rank } = selection;
  const select = `SELECT words.rowid AS rid, ${rank} AS rank FROM ${from} ${where}`;
  const { best, matched } = bestRanked(database, { select, values, limit: query.limit });
  const ranks = [...new Set(best.map(({ rank }) => rank))];
  const positionOf = new Map(ranks.map((rank, position) => [rank, position]));
  const positions = JSON.stringify(best.map(({ rid, rank }) => [positionOf.get(rank), rid]));
  const rows = database
    .prepare(`SELECT r.rid, r.id, one.value ->> 0 AS position FROM json_each(?) one
      CROSS JOIN records r ON r.rid = one.value ->> 1 WHERE go_on() ORDER BY position, r.id LIMIT ?`)
    .all(positions, query.limit);
  const hits = rows.map(({ rid, id, position }) => {
    const score = -(ranks[Number(position)] ?? 0);
    return { rid: Number(rid), id: String(id), score, keys: [score] };
  });
  return { hits, matched };
}

function toHit(row: Record<string, unknown>, keys: number): FoundRids['hits'][number] {
  return {
    rid: Number(row.rid),
    id: String(row.id),
    ...(typeof row.score === 'number' && { score: row.score }),
    keys: Array.from({ length: keys }, (_, i) => fromStored(row[`k${i}`])),
  };
}

/** Expressions that sort, as columns `k0`…, and the ORDER BY over them; ties by id. */
function orderOf(database: DatabaseSync, sort: FindQuery['sort']): { keys: string[]; order: string } {
  if (typeof sort !== 'string')
    return {
      keys: sort.map(({ field }, i) => `${sortable(fieldValue(database, field))} AS k${i}`),
      order: [...sort.map(({ direction = 'asc' }, i) => `k${i} ${direction} NULLS LAST`), 'r.id'].join(', '),
    };
  switch (sort) {
    case 'relevance':
      return { keys: [], order: 'r.id' };
    case 'as_read':
      return { keys: [], order: 'r.rid' };
    case 'updated_desc':
      return { keys: ['r.updated_at AS k0'], order: 'k0 DESC, r.id' };
    case 'created_desc':
      return { keys: ['r.created_at AS k0'], order: 'k0 DESC, r.id' };
    case 'name_asc':
      return { keys: ['r.name_key AS k0', 'r.name AS k1'], order: 'k0, k1, r.id' };
  }
}

/** The number of records in a selection. */
export function countRecords(database: DatabaseSync, query: Selection): number {
  const selection = selectionOf(database, query, { mayBeWords: true });
  if (!selection) return 0;
  // Counts by type are stored; only conditions and words require reading records.
  if (!query.where && !query.words) return countByType(database, query.types);
  const row = database
    .prepare(`SELECT count(*) AS n FROM ${selection.from} ${selection.where}`)
    .get(...selection.values);
  return Number(row?.n);
}

function countByType(database: DatabaseSync, types: string[] | null): number {
  const rows = database.prepare('SELECT type, count FROM types').all();
  return rows
    .filter(({ type }) => !types || types.includes(String(type)))
    .reduce((sum, { count }) => sum + Number(count), 0);
}

/** The records of a selection whose vectors are nearest to the query's, best first. */
export function nearestRecords(database: DatabaseSync, query: NearestQuery): Hit[] {
  return findOnce(database, query, () => nearestRids(database, query)).hits;
}

function nearestRids(database: DatabaseSync, query: NearestQuery): FoundRids {
  requireParts(database, 'vectors');
  const counting = countingFor(database, query);
  if (!counting) return { hits: [], matched: 0 };
  const idOf = database.prepare('SELECT id FROM records WHERE rid = ?');
  const hits = nearestVectors(database, query.vector, counting, query).flatMap(({ rid, score }) => {
    const row = idOf.get(rid);
    return row ? [{ rid, id: String(row.id), score, keys: [score] }] : [];
  });
  return { hits, matched: hits.length };
}

/** Which vectors count for a selection: types alone need no look at the records. */
function countingFor(database: DatabaseSync, query: Selection): Counting | undefined {
  const { types, where, words } = query;
  const selection = selectionOf(database, query);
  if (!selection) return undefined;
  if (!where && !words) return types ? { types } : 'all';
  // One text is read faster than as many rows.
  const row = database
    .prepare(`SELECT json_group_array(r.rid) AS rids FROM ${selection.from} ${selection.where}`)
    .get(...selection.values);
  const rids: number[] = JSON.parse(String(row?.rids));
  return { rids: rids.sort((left, right) => left - right) };
}

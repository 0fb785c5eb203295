// Finding records: selection, order and exact count as SQL.
import type { DatabaseSync } from 'node:sqlite';
import type { FindQuery, Found, Hit, NearestQuery, Selection } from '#contract/record-queries.ts';
import { fromStored, type Stored } from './values.ts';
import { nearestVectors } from './vectors.ts';
import { compileWhere, fieldValue, type Sql, sortable } from './where.ts';

/** The records of a selection: what to put after FROM and WHERE. Undefined: nothing can be selected. */
export function selectionOf(
  database: DatabaseSync,
  { types, where, words, type_is_word = false }: Selection,
): { from: string; where: string; values: Stored[] } | undefined {
  if (types?.length === 0 || words?.length === 0) return undefined;
  const parts: Sql[] = [{ text: 'go_on()', values: [] }];
  if (words) parts.push({ text: 'words MATCH ?', values: [matchOf(words, type_is_word)] });
  if (types) parts.push({ text: `r.type IN (${types.map(() => '?').join(', ')})`, values: types });
  if (where) parts.push(compileWhere(database, where));
  return {
    from: words ? 'words CROSS JOIN records r ON r.rid = words.rowid' : 'records r',
    where: `WHERE ${parts.map(({ text }) => text).join(' AND ')}`,
    values: parts.flatMap(({ values }) => values),
  };
}

/** A full-text query that matches any of the words. They are quoted, so that none is an operator. */
function matchOf(words: string[], typeIsWord: boolean): string {
  const terms = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
  return `{name body${typeIsWord ? ' type' : ''}} : (${terms})`;
}

/** The first records of a selection in order, and the size of the selection. */
export function findRecords(database: DatabaseSync, query: FindQuery): Found {
  const selection = selectionOf(database, query);
  if (!selection) return { hits: [], matched: 0 };
  const { keys, order } = orderOf(database, query);
  const columns = ['r.rid', 'r.id', query.words ? '-bm25(words) AS score' : 'NULL AS score', ...keys].join(
    ', ',
  );
  const rows = database
    .prepare(`SELECT ${columns} FROM ${selection.from} ${selection.where} ORDER BY ${order} LIMIT ?`)
    .all(...selection.values, query.limit);
  const bodyOf = bodyReader(database);
  const hits = rows.map((row) => toHit(row, keys.length, bodyOf(Number(row.rid))));
  return { hits, matched: hits.length < query.limit ? hits.length : countRecords(database, query) };
}

/** Bodies are stored apart from what is searched, and only those of hits are read. */
function bodyReader(database: DatabaseSync): (rid: number) => string {
  const select = database.prepare('SELECT body FROM bodies WHERE rid = ?');
  return (rid) => {
    const row = select.get(rid);
    if (!row) throw new Error('malformed: a record has no body');
    return String(row.body);
  };
}

function toHit(row: Record<string, unknown>, keys: number, body: string): Hit {
  return {
    id: String(row.id),
    body,
    ...(typeof row.score === 'number' && { score: row.score }),
    keys: Array.from({ length: keys }, (_, i) => fromStored(row[`k${i}`])),
  };
}

/** Expressions that sort, as columns `k0`…, and the ORDER BY over them; ties by id. */
function orderOf(
  database: DatabaseSync,
  { sort, words }: Pick<FindQuery, 'sort' | 'words'>,
): { keys: string[]; order: string } {
  if (typeof sort !== 'string')
    return {
      keys: sort.map(({ field }, i) => `${sortable(fieldValue(database, field))} AS k${i}`),
      order: [...sort.map(({ direction = 'asc' }, i) => `k${i} ${direction} NULLS LAST`), 'r.id'].join(', '),
    };
  switch (sort) {
    case 'relevance':
      return words
        ? { keys: ['-bm25(words) AS k0'], order: 'bm25(words), r.id' }
        : { keys: [], order: 'r.id' };
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
  const selection = selectionOf(database, query);
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
  const selection = selectionOf(database, query);
  if (!selection) return [];
  const all = !query.types && !query.where && !query.words;
  const rids = all
    ? undefined
    : database
        .prepare(`SELECT r.rid FROM ${selection.from} ${selection.where} ORDER BY r.rid`)
        .all(...selection.values)
        .map(({ rid }) => Number(rid));
  const idOf = database.prepare('SELECT id FROM records WHERE rid = ?');
  const bodyOf = bodyReader(database);
  return nearestVectors(database, query.vector, rids, query).flatMap(({ rid, score }) => {
    const row = idOf.get(rid);
    return row ? [{ id: String(row.id), body: bodyOf(rid), score, keys: [score] }] : [];
  });
}

// Finding records: selection, order and exact count as SQL.
import type { DatabaseSync } from 'node:sqlite';
import type {
  FindQuery,
  Found,
  Hit,
  NearestQuery,
  Selection,
  VectorCounts,
} from '#contract/record-queries.ts';
import { type Counting, countVectors, nearestVectors } from './nearest-vectors.ts';
import { statementOn } from './prepared-statements.ts';
import { checkReading, countingRows } from './reading-limits.ts';
import { bodyOf } from './record-bodies.ts';
import { fromStored, type Stored } from './stored-values.ts';
import { compileWhere, fieldValue, type Sql, sortable } from './where-to-sql.ts';
import { bestRanked, wordQuery } from './word-query.ts';

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
  const isWindowed = where !== undefined && !words;
  const parts: Sql[] = [isWindowed ? WINDOW_CHECK : someRowsCheck()];
  if (query) parts.push({ text: 'words MATCH ?', values: [query.match] });
  if (types && !query?.hasTypes)
    parts.push({ text: `r.type IN (${types.map(() => '?').join(', ')})`, values: types });
  if (where) parts.push(compileWhere(database, where));
  const from = isWindowed
    ? inWindows(database)
    : { text: words ? 'words CROSS JOIN records r ON r.rid = words.rowid' : 'records r', values: [] };
  return {
    from: from.text,
    where: `WHERE ${parts.map(({ text }) => text).join(' AND ')}`,
    values: [from, ...parts].flatMap(({ values }) => values),
    rank,
  };
}

const WINDOW_RIDS = 1024;
const WINDOWS_MAX = 1024;

/**
 * All records, in windows of rids: a check for each window, not for each row, saves a quarter of the time of a simple
 * condition.
 */
function inWindows(database: DatabaseSync): Sql {
  checkReading();
  const last = Number(statementOn(database, 'SELECT max(rid) AS last FROM records').get()?.last ?? 0);
  // Changes leave gaps between rids, so that their number is no bound.
  const rids = Math.max(WINDOW_RIDS, Math.ceil((last + 1) / WINDOWS_MAX));
  const starts = Array.from({ length: Math.ceil((last + 1) / rids) }, (_, i) => i * rids);
  return {
    text: `json_each(?) w CROSS JOIN records r ON r.rid BETWEEN w.value AND w.value + ${rids - 1}`,
    values: [JSON.stringify(starts)],
  };
}

/** Checks the reading once for each window: it names nothing of the records. */
const WINDOW_CHECK: Sql = { text: '(w.value < 0 OR go_on())', values: [] };

/** The bits of a product that are all zero for one row in 64. */
const ONE_IN_64 = 63 << 20;

/**
 * Checks the reading now, and by a condition at one row in 64, because a call from SQL takes longer than most rows.
 * Which rows follows from a random number, so that no choice of records escapes the checks.
 */
function someRowsCheck(): Sql {
  checkReading();
  const factor = 2 * Math.floor(Math.random() * 2 ** 30) + 1;
  return { text: `((r.rid * ?) & ${ONE_IN_64} <> 0 OR go_on())`, values: [factor] };
}

/** The first records of a selection in order, and the size of the selection. */
export function findRecords(database: DatabaseSync, query: FindQuery): Found {
  const selection = selectionOf(database, query, { mayBeWords: query.sort === 'relevance' });
  if (!selection) return { hits: [], matched: 0 };
  const { hits, matched } =
    selection.from === 'words'
      ? mostRelevant(database, selection, query.limit)
      : inOrder(database, selection, query);
  return { hits: withBodies(database, hits), matched };
}

/** The ids of the first records of a selection by id, and the size of the selection. */
export function findIds(
  database: DatabaseSync,
  { limit, ...query }: Selection & { limit: number },
): { ids: string[]; matched: number } {
  const selection = selectionOf(database, query, { mayBeWords: false });
  if (!selection) return { ids: [], matched: 0 };
  const { hits, matched } = inOrder(database, selection, { ...query, sort: 'relevance', limit });
  return { ids: hits.map(({ id }) => id), matched };
}

/** A record that was found, by its rid, without its body. */
type FoundRid = Omit<Hit, 'body'> & { rid: number };

interface FoundRids {
  hits: FoundRid[];
  matched: number;
}

const withBodies = (database: DatabaseSync, hits: FoundRid[]): Hit[] =>
  hits.map(({ rid, ...hit }) => ({ ...hit, body: bodyOf(database, rid) }));

function inOrder(database: DatabaseSync, selection: Selected, query: FindQuery): FoundRids {
  const { keys, order } = orderOf(database, query.sort, selection.rank);
  const columns = Object.entries({ score: selection.rank ? `-${selection.rank}` : 'NULL', ...keys });
  const select = columns.map(([name, expression]) => `${expression} AS ${name}`).join(', ');
  const isCounted = query.where !== undefined || query.words !== undefined;
  const statement = database.prepare(`SELECT r.rid, r.id, ${select} FROM ${selection.from} ${selection.where}
    ORDER BY ${isCounted ? 'count_row(), ' : ''}${order} LIMIT ?`);
  const { result, rows } = countingRows(() => statement.all(...selection.values, query.limit));
  const names = Object.keys(keys);
  const hits = result.map((row) => ({
    rid: Number(row.rid),
    id: String(row.id),
    ...(typeof row.score === 'number' && { score: row.score }),
    keys: names.map((name) => fromStored(row[name])),
  }));
  return { hits, matched: isCounted ? rows : countByType(database, query.types) };
}

/** The records that match words best; ties by id. */
function mostRelevant(
  database: DatabaseSync,
  { from, where, values, rank }: Selected,
  limit: number,
): FoundRids {
  const select = `SELECT words.rowid AS rid, ${rank} AS rank FROM ${from} ${where}`;
  const { better, last, matched } = bestRanked(database, { select, values, limit });
  const rankOf = new Map(better.map(({ rid, rank }) => [rid, rank]));
  const ranked = withIds(database, [...rankOf.keys()], limit).map((one) => ({
    ...one,
    score: -(rankOf.get(one.rid) ?? 0),
  }));
  // They come in the order of their ids, which equals keep.
  ranked.sort((left, right) => right.score - left.score);
  const tied = withIds(database, last.rids, limit - better.length);
  const hits = [...ranked, ...tied.map((one) => ({ ...one, score: -last.rank }))];
  return { hits: hits.map((hit) => ({ ...hit, keys: [hit.score] })), matched };
}

/** The first of these records by id. */
function withIds(database: DatabaseSync, rids: number[], limit: number): { rid: number; id: string }[] {
  const check = someRowsCheck();
  return database
    .prepare(`SELECT r.rid, r.id FROM json_each(?) one CROSS JOIN records r ON r.rid = one.value
      WHERE ${check.text} ORDER BY r.id LIMIT ?`)
    .all(JSON.stringify(rids), ...check.values, limit)
    .map(({ rid, id }) => ({ rid: Number(rid), id: String(id) }));
}

/** Expressions that sort, by the names of their columns, and the ORDER BY over them; ties by id. */
function orderOf(
  database: DatabaseSync,
  sort: FindQuery['sort'],
  rank: string | undefined,
): { keys: Record<string, string>; order: string } {
  if (typeof sort !== 'string')
    return {
      keys: Object.fromEntries(sort.map(({ field }, i) => [`k${i}`, sortable(fieldValue(database, field))])),
      order: [...sort.map(({ direction = 'asc' }, i) => `k${i} ${direction} NULLS LAST`), 'r.id'].join(', '),
    };
  switch (sort) {
    case 'relevance':
      return rank ? { keys: { score: `-${rank}` }, order: 'score DESC, r.id' } : { keys: {}, order: 'r.id' };
    case 'as_read':
      return { keys: {}, order: 'r.rid' };
    case 'updated_desc':
      return { keys: { k0: 'r.updated_at' }, order: 'k0 DESC, r.id' };
    case 'created_desc':
      return { keys: { k0: 'r.created_at' }, order: 'k0 DESC, r.id' };
    case 'name_asc':
      return { keys: { k0: 'r.name_key', k1: 'r.name' }, order: 'k0, k1, r.id' };
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
  return statementOn(database, 'SELECT type, count FROM types')
    .all()
    .filter(({ type }) => !types || types.includes(String(type)))
    .reduce((sum, { count }) => sum + Number(count), 0);
}

/** The records of a selection whose vectors are nearest to the query's, best first. */
export function nearestRecords(database: DatabaseSync, query: NearestQuery): Hit[] {
  const counting = countingFor(database, query);
  if (!counting) return [];
  const idOf = database.prepare('SELECT id FROM records WHERE rid = ?');
  const hits = nearestVectors(database, query, counting).flatMap(({ rid, score }) => {
    const row = idOf.get(rid);
    return row ? [{ rid, id: String(row.id), score, keys: [score] }] : [];
  });
  return withBodies(database, hits);
}

/** How many records there are, and how many vectors of each embedding. */
export function vectorCounts(database: DatabaseSync): VectorCounts {
  return { records: countByType(database, null), vectors: countVectors(database) };
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

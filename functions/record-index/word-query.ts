// Selecting and ranking by words: the full-text index alone does both where it can, without a look at the records.
import type { DatabaseSync } from 'node:sqlite';
import { wordsOf } from '#platform/words.ts';
import { checkReading } from './reading-limits.ts';
import type { Stored } from './stored-values.ts';

/** A full-text query for records with any of the words. */
export interface WordQuery {
  match: string;
  /** Whether it also selects the types, and nothing else has to. */
  hasTypes: boolean;
  /** How well a row matches the words, as SQL; the best is the least. A type that only selects has no weight. */
  rank: string;
}

/** From this many types on, they are not compared with those that are asked for. */
const TYPES_MAX = 1000;
/** Words that the full-text index splits exactly at their spaces. */
const PLAIN = /^[a-z0-9]+( [a-z0-9]+)*$/;

/** The query for a selection. The words are quoted, so that none is an operator. */
export function wordQuery(
  database: DatabaseSync,
  { words, types, type_is_word }: { words: string[]; types: string[] | null; type_is_word: boolean },
): WordQuery {
  const anyWord = `{name body${type_is_word ? ' type' : ''}} : (${anyOf(words)})`;
  const asWords = types && !type_is_word ? typesAsWords(database, types) : undefined;
  return {
    match: asWords ? `${anyWord} AND type : (${anyOf(asWords)})` : anyWord,
    hasTypes: types === null || asWords !== undefined,
    rank: type_is_word ? 'bm25(words)' : 'bm25(words, 1, 1, 0)',
  };
}

const anyOf = (phrases: string[]) =>
  phrases.map((phrase) => `"${phrase.replaceAll('"', '""')}"`).join(' OR ');

/** The types in the words by which records have them; undefined when these also match other types. */
function typesAsWords(database: DatabaseSync, types: string[]): string[] | undefined {
  const rows = database.prepare('SELECT type FROM types LIMIT ?').all(TYPES_MAX);
  if (rows.length === TYPES_MAX) return undefined;
  const inWords = (type: string) => wordsOf(type).join(' ');
  const phrases = types.map(inWords);
  const others = rows.map((row) => String(row.type)).filter((type) => !types.includes(type));
  const otherPhrases = others.map(inWords);
  if (![...phrases, ...otherPhrases].every((phrase) => PLAIN.test(phrase))) return undefined;
  const isAmbiguous = otherPhrases.some((other) =>
    phrases.some((phrase) => ` ${other} `.includes(` ${phrase} `)),
  );
  return isAmbiguous ? undefined : phrases;
}

/** A record and how well it matches; the best is the least. */
interface Ranked {
  rid: number;
  rank: number;
}

/** The best of all ranked records. */
interface Best {
  /** Those before the last place, in no order. */
  better: Ranked[];
  /** All that share the last place, of which some may be beyond the limit. */
  last: { rank: number; rids: number[] };
  /** The number of all. */
  matched: number;
}

/** How many rows are ranked before the limits of the reading are checked again. */
const ROWS_AT_ONCE = 64;

/** The best of the rows that a select of `rid` and `rank` reads. Each row is ranked once. */
export function bestRanked(
  database: DatabaseSync,
  { select, values, limit }: { select: string; values: Stored[]; limit: number },
): Best {
  let better: Ranked[] = [];
  let last: Best['last'] = { rank: Number.POSITIVE_INFINITY, rids: [] };
  let matched = 0;
  const cut = () => {
    const rank = better.toSorted((left, right) => left.rank - right.rank)[limit - 1]?.rank;
    if (rank === undefined) return;
    const equal = better.filter((one) => one.rank === rank);
    last = { rank, rids: equal.map(({ rid }) => rid) };
    better = better.filter((one) => one.rank < rank);
  };
  database.function('take_rank', { directOnly: true }, (rid, value) => {
    if (matched % ROWS_AT_ONCE === 0) checkReading();
    matched += 1;
    const rank = Number(value);
    if (rank === last.rank) last.rids.push(Number(rid));
    else if (rank < last.rank) better.push({ rid: Number(rid), rank });
    if (better.length >= limit * 2 + ROWS_AT_ONCE) cut();
    return null;
  });
  try {
    // With a LIMIT, SQLite does not merge the inner select, which alone may rank.
    database.prepare(`SELECT count(take_rank(rid, rank)) FROM (${select} LIMIT -1)`).get(...values);
  } finally {
    // The connection stays open; it must not retain the rows.
    database.function('take_rank', () => null);
  }
  cut();
  return { better, last, matched };
}

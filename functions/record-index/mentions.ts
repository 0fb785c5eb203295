// What a text mentions of a workspace: records by name, and values of fields.
import type { DatabaseSync } from 'node:sqlite';
import type { MentionedValue } from '#contract/record-queries.ts';
import { wordsOf } from '#platform/words.ts';
import { plain, runsOfWords } from './plain-names.ts';
import { COLUMN_SLOTS } from './schema.ts';
import { TEXTS_MAX } from './type-outline.ts';

/** The most words of a name or a value that a text can mention. */
const NAME_WORDS_MAX = 20;
const VALUE_WORDS_MAX = 6;
/** How many words at the beginning of a text are searched for values of fields with too many texts for a vocabulary. */
const WORDS_LOOKED_FOR = 50;
/** How many records with one or two words of a possible value are read, and how many values of all those records. */
const RECORDS_LOOKED_AT = 5000;
const VALUES_LOOKED_AT = 50_000;
/** Words that fewer records have are rare. */
const RECORDS_OF_RARE = 50;

/** Records whose whole name a text contains, longest names first, ties by id. */
export function mentionedRecords(
  database: DatabaseSync,
  text: string,
  limit: number,
): { id: string; type: string; name: string }[] {
  const lengths = database.prepare('SELECT words FROM name_lengths WHERE words <= ?').all(NAME_WORDS_MAX);
  const runs = runsOfWords(
    plain(text),
    lengths.map(({ words }) => Number(words)),
  );
  return database
    .prepare(
      'SELECT r.id, r.type, r.name FROM json_each(?) run JOIN records r ON r.name_key = run.value ORDER BY length(r.name) DESC, r.id LIMIT ?',
    )
    .all(JSON.stringify(runs), limit)
    .map((row) => ({ id: String(row.id), type: String(row.type), name: String(row.name) }));
}

/** A value in the field of a slot. */
interface SlottedValue {
  slot: number;
  value: string;
}

/** Values of fields that a text contains in full, as spelled on records, longest first. */
export function mentionedValues(database: DatabaseSync, text: string, limit: number): MentionedValue[] {
  const whole = plain(text);
  const found = [...fromVocabulary(database, valueRuns(whole)), ...fromRecords(database, whole)];
  return database
    .prepare(
      `SELECT f.path, v.value ->> 'value' AS value, json_group_array(DISTINCT o.type) AS types FROM json_each(?) v
       JOIN fields f ON f.slot = v.value ->> 'slot' JOIN outline o ON o.slot = f.slot
       GROUP BY f.slot, v.value ->> 'value' ORDER BY length(v.value ->> 'value') DESC, f.path, v.value ->> 'value' LIMIT ?`,
    )
    .all(JSON.stringify(found), limit)
    .map((row) => ({
      path: String(row.path),
      value: String(row.value),
      types: JSON.parse(String(row.types)),
    }));
}

/** The parts of a plain text that may be values, shorter runs of words first. */
const valueRuns = (text: string) =>
  runsOfWords(
    text,
    Array.from({ length: VALUE_WORDS_MAX }, (_, i) => i + 1),
  );

function fromVocabulary(database: DatabaseSync, runs: string[]): SlottedValue[] {
  return database
    .prepare('SELECT t.slot, t.value FROM json_each(?) run JOIN texts t ON t.key = run.value')
    .all(JSON.stringify(runs))
    .map(({ slot, value }) => ({ slot: Number(slot), value: String(value) }));
}

/** The slots of fields with too many texts for a vocabulary. */
export function searchedSlots(database: DatabaseSync): number[] {
  return database
    .prepare('SELECT slot FROM fields WHERE texts > ? AND slot < ?')
    .all(TEXTS_MAX, COLUMN_SLOTS)
    .map(({ slot }) => Number(slot));
}

/** The same for fields with too many texts for a vocabulary: found on the records that have the words. */
function fromRecords(database: DatabaseSync, text: string): SlottedValue[] {
  const slots = searchedSlots(database);
  if (slots.length === 0) return [];
  const words = text.split(' ', WORDS_LOOKED_FOR);
  const most = Math.max(RECORDS_LOOKED_AT, Math.floor(VALUES_LOOKED_AT / slots.length));
  const rids = JSON.stringify(recordsHaving(database, words, most));
  const possible = new Set(valueRuns(words.join(' ')));
  return slots.flatMap((slot) =>
    database
      .prepare(
        `SELECT r.c${slot} AS value FROM json_each($rids) one JOIN records r ON r.rid = one.value WHERE typeof(r.c${slot}) = 'text'
         UNION SELECT e.value FROM json_each($rids) one JOIN elements e ON e.rid = one.value AND e.slot = ${slot} WHERE typeof(e.value) = 'text'`,
      )
      .all({ rids })
      .map(({ value }) => String(value))
      .filter((value) => possible.has(plain(value)))
      .map((value) => ({ slot, value })),
  );
}

/**
 * At most `most` records that have one of the words: all with rare words, then those with two common ones in a row,
 * then with common ones.
 */
function recordsHaving(database: DatabaseSync, words: string[], most: number): number[] {
  const having = database.prepare(
    'SELECT json_group_array(rid) AS rids FROM (SELECT rowid AS rid FROM words WHERE words MATCH ? LIMIT ?)',
  );
  const ridsOf = (phrase: string, limit: number): number[] =>
    JSON.parse(String(having.get(`body : "${wordsOf(phrase).join(' ')}"`, limit)?.rids));
  const rids = new Set<number>();
  const common = new Set<string>();
  for (const word of new Set(words)) {
    const some = ridsOf(word, RECORDS_OF_RARE);
    if (some.length === RECORDS_OF_RARE) common.add(word);
    else for (const rid of some) rids.add(rid);
  }
  const pairs = words.flatMap((word, i) => {
    const next = words[i + 1];
    return next !== undefined && common.has(word) && common.has(next) ? [`${word} ${next}`] : [];
  });
  for (const phrase of new Set([...pairs, ...common])) {
    if (rids.size >= most) break;
    for (const rid of ridsOf(phrase, RECORDS_LOOKED_AT)) rids.add(rid);
  }
  return [...rids].slice(0, most);
}

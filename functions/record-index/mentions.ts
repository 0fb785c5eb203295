// What a text mentions of a workspace: records by name, and values of fields.
import type { DatabaseSync } from 'node:sqlite';
import type { MentionedValue } from '#contract/record-queries.ts';
import { wordsOf } from '#platform/words.ts';
import { TEXTS_MAX } from './outline.ts';
import { plain, runsOfWords } from './plain.ts';
import { COLUMN_SLOTS } from './schema.ts';

/** The most words of a name, and of a value, that a text can mention. */
const NAME_WORDS_MAX = 20;
const VALUE_WORDS_MAX = 6;
/** Of the records that have the words of a possible value, so many are looked at. */
const RECORDS_LOOKED_AT = 5000;

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
interface Placed {
  slot: number;
  value: string;
}

/** Values of fields that a text contains whole, as spelled on records, longest first. */
export function mentionedValues(database: DatabaseSync, text: string, limit: number): MentionedValue[] {
  const runs = runsOfWords(
    plain(text),
    Array.from({ length: VALUE_WORDS_MAX }, (_, i) => i + 1),
  );
  const found = [...fromVocabulary(database, runs), ...fromRecords(database, runs)];
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

function fromVocabulary(database: DatabaseSync, runs: string[]): Placed[] {
  return database
    .prepare('SELECT t.slot, t.value FROM json_each(?) run JOIN texts t ON t.key = run.value')
    .all(JSON.stringify(runs))
    .map(({ slot, value }) => ({ slot: Number(slot), value: String(value) }));
}

/** The same of fields with too many texts for a vocabulary: among the records that have the words. */
function fromRecords(database: DatabaseSync, runs: string[]): Placed[] {
  const slots = database
    .prepare('SELECT slot FROM fields WHERE texts > ? AND slot < ?')
    .all(TEXTS_MAX, COLUMN_SLOTS)
    .map(({ slot }) => Number(slot));
  if (slots.length === 0) return [];
  const having = database.prepare('SELECT rowid FROM words WHERE words MATCH ? LIMIT ?');
  const valuesIn = slots.map((slot) => ({
    slot,
    statement: database.prepare(
      `SELECT r.c${slot} AS value FROM json_each(?1) one JOIN records r ON r.rid = one.value WHERE typeof(r.c${slot}) = 'text'
       UNION SELECT e.value FROM json_each(?1) one JOIN elements e ON e.rid = one.value AND e.slot = ${slot} WHERE typeof(e.value) = 'text'`,
    ),
  }));
  return runs.flatMap((run) => {
    const words = wordsOf(run);
    if (words.length === 0) return [];
    const rids = having
      .all(`body : "${words.join(' ')}"`, RECORDS_LOOKED_AT)
      .map(({ rowid }) => Number(rowid));
    if (rids.length === 0) return [];
    return valuesIn.flatMap(({ slot, statement }) =>
      statement
        .all(JSON.stringify(rids))
        .map(({ value }) => String(value))
        .filter((value) => plain(value) === run)
        .map((value) => ({ slot, value })),
    );
  });
}

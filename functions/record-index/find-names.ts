// Finds records by name: as people type it, or by the name in an outside system.
import type { DatabaseSync } from 'node:sqlite';
import type { EntityRef } from '#contract/entities.ts';
import type { Holder, NamedRecord, NameQuery, RecordName } from '#contract/record-queries.ts';
import { plain, signsIn } from './plain-names.ts';
import type { Stored } from './stored-values.ts';
import type { Sql } from './where-to-sql.ts';

/** Greater than every character of a name. */
const LAST = '\u{10ffff}';
const BY_NAME = 'r.name_key, r.name, r.id';

/**
 * Records whose names have all words and signs, best first (rules.md: entities 1): names that begin with the words, by
 * name, then those that have them elsewhere, short ones first. The former are read in the order of an index, the latter
 * by scanning it. A text of neither words nor signs finds none.
 */
export function recordsNamed(database: DatabaseSync, { text, type, limit }: NameQuery): NamedRecord[] {
  const key = plain(text ?? '');
  const signs = signsIn(text ?? '');
  const rest = [
    ...(type === undefined ? [] : [{ text: 'r.type = ?', values: [type] }]),
    ...signs.map((sign) => ({ text: 'instr(r.name, ?) > 0', values: [sign] })),
  ];
  const select = (condition: Sql[], order: string, most: number) => {
    const all = [...condition, ...rest];
    const where = all.map((one) => one.text).join(' AND ') || '1';
    return database
      .prepare(
        `SELECT r.id, r.name, r.type, r.external_uri FROM records r WHERE ${where} ORDER BY ${order} LIMIT ?`,
      )
      .all(...all.flatMap(({ values }) => values), most)
      .map(toNamed);
  };
  if (key === '') return text === undefined || signs.length > 0 ? select([], BY_NAME, limit) : [];
  const begins = { text: 'r.name_key >= ? AND r.name_key < ?', values: [key, key + LAST] };
  const first = select([begins], BY_NAME, limit);
  if (first.length === limit) return first;
  return [...first, ...select([elsewhere(key)], `length(r.name_key), ${BY_NAME}`, limit - first.length)];
}

/** Names that have the words but do not begin with them: an inner select, so that only names are scanned. */
function elsewhere(key: string): Sql {
  const words = key.split(' ');
  const whole = words.slice(0, -1).map((word) => ` ${word} `);
  const tests = [
    ...whole.map(() => "instr(' ' || name_key || ' ', ?) > 0"),
    "instr(' ' || name_key, ?) > 0",
    'NOT (name_key >= ? AND name_key < ?)',
  ];
  const values: Stored[] = [...whole, ` ${words.at(-1)}`, key, key + LAST];
  return { text: `r.rid IN (SELECT rid FROM records WHERE ${tests.join(' AND ')})`, values };
}

/** For each reference the id of the one record that it names; undefined when it names none or several. */
export function identifiedRecords(database: DatabaseSync, refs: EntityRef[]): (string | undefined)[] {
  const byId = database.prepare('SELECT id FROM records WHERE id = ?');
  const byUri = database.prepare('SELECT id FROM records WHERE external_uri = ? LIMIT 2');
  const byExternalId = database.prepare(
    'SELECT id FROM records WHERE external_id = ? AND source = ? LIMIT 2',
  );
  const rowsOf = (ref: EntityRef) => {
    if ('id' in ref) return byId.all(ref.id.toLowerCase());
    if ('external_uri' in ref) return byUri.all(ref.external_uri);
    return byExternalId.all(ref.external_id, ref.source);
  };
  return refs.map((ref) => {
    const [one, another] = rowsOf(ref);
    return one && !another ? String(one.id) : undefined;
  });
}

/** Ids that imports gave to records without an outside name. */
const UNNAMED = "substr(id, 15, 1) = '8' AND substr(id, 25, 2) = '00'";

/** The records that have each name. */
export function holdersOf(database: DatabaseSync, names: RecordName[]): Holder[][] {
  const select = (condition: string) =>
    database.prepare(`SELECT id, created_at FROM records WHERE ${condition}`);
  const byUri = select('external_uri = ?');
  const byExternalId = select('external_id = ? AND source = ?');
  const unnamed = select(`name_key = ? AND type = ? AND name = ? AND ${UNNAMED}`);
  const rowsOf = (name: RecordName) => {
    if ('external_uri' in name) return byUri.all(name.external_uri);
    if ('external_id' in name) return byExternalId.all(name.external_id, name.source);
    return unnamed.all(plain(name.name), name.type, name.name);
  };
  return names.map((name) =>
    rowsOf(name).map(({ id, created_at }) => ({ id: String(id), created_at: Number(created_at) })),
  );
}

function toNamed(row: Record<string, unknown>): NamedRecord {
  const { id, name, type, external_uri } = row;
  const uri = typeof external_uri === 'string' ? { external_uri } : {};
  return { id: String(id), name: String(name), type: String(type), ...uri };
}

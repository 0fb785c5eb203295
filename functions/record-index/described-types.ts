// The types of a workspace with their fields, exactly as the records have them now.
import type { DatabaseSync } from 'node:sqlite';
import { dateIn } from '#contract/grouped-values.ts';
import type { DescribedField, DescribedType, FieldQuery, FoundFields } from '#contract/record-queries.ts';
import {
  addSamples,
  byTime,
  kindsIn,
  type Range,
  rangesIn,
  SAMPLES_MAX,
  type Sample,
  samplesIn,
  stale,
  widen,
} from './field-counts.ts';
import { type Field, findField, hasColumn } from './field-slots.ts';
import { flatten, storedFields } from './flatten.ts';
import { COLUMN_SLOTS } from './schema.ts';
import { typesOf } from './type-outline.ts';

const FIELDS_MAX = 10_000;
/** How much is read of the records of a type to find further samples. */
const SAMPLED_RECORDS_MAX = 1000;
const SAMPLED_CHARACTERS_MAX = 4_000_000;

/**
 * The types with the most records, with their fields by name. Only what became stale since the last call is read from
 * the records, in one pass over each such type. Call it inside a transaction.
 */
export function describedTypes(database: DatabaseSync, limit: number): DescribedType[] {
  refresh(database);
  const select = database.prepare(
    'SELECT f.path, o.* FROM outline o JOIN fields f ON f.slot = o.slot WHERE o.type = ? AND o.leaves > 0 ORDER BY f.path LIMIT ?',
  );
  let room = FIELDS_MAX;
  return typesOf(database)
    .slice(0, limit)
    .map((row) => {
      const fields = select.all(row.type, room).map(toField);
      room -= fields.length;
      return { ...row, fields };
    });
}

/** What the next description reads besides the outline: bodies of records, as a select, and values without a column. */
export function sampledRids(database: DatabaseSync): { rids: string; types: string; hasWide: boolean } {
  const rows = database.prepare('SELECT type, slot, stale FROM outline WHERE stale > 0').all();
  const sampled = rows.filter((row) => (Number(row.stale) & stale.samples) !== 0).map(({ type }) => type);
  const rids = `SELECT r.rid FROM json_each(?) t JOIN records r ON r.rid IN
    (SELECT rid FROM records WHERE type = t.value ORDER BY rid LIMIT ${SAMPLED_RECORDS_MAX})`;
  const hasWide = rows.some((row) => Number(row.slot) >= COLUMN_SLOTS);
  return { rids, types: JSON.stringify([...new Set(sampled)]), hasWide };
}

/** Which of the paths records of the types have. */
export function findFields(database: DatabaseSync, { types, paths }: FieldQuery): FoundFields {
  const chosen = { types: types ? JSON.stringify(types) : null };
  const ofTypes = '($types IS NULL OR o.type IN (SELECT value FROM json_each($types)))';
  const counted = database.prepare(`SELECT 1 FROM types o WHERE ${ofTypes} LIMIT 1`).get(chosen);
  if (!counted) return { has_records: false, missing: paths, known: [] };
  const has = database.prepare(
    `SELECT 1 FROM fields f JOIN outline o ON o.slot = f.slot WHERE f.path = $path AND ${ofTypes} LIMIT 1`,
  );
  const missing = paths.filter((path) => !has.get({ ...chosen, path }));
  if (missing.length === 0) return { has_records: true, missing, known: [] };
  const known = database
    .prepare(
      `SELECT DISTINCT f.path FROM fields f JOIN outline o ON o.slot = f.slot WHERE ${ofTypes} ORDER BY f.path LIMIT $limit`,
    )
    .all({ ...chosen, limit: FIELDS_MAX })
    .map(({ path }) => String(path));
  return { has_records: true, missing, known };
}

function toField(row: Record<string, unknown>): DescribedField {
  const { path, leaves, objects, numbers, texts, booleans, lists, dates } = row;
  // An object with members is described by them.
  const hasHollow =
    Number(leaves) > [numbers, texts, booleans, lists].reduce<number>((n, of) => n + Number(of), 0);
  const areDates = dates === leaves;
  const { low, high } = areDates ? rangesIn(row).dates : rangesIn(row).numbers;
  return {
    path: String(path),
    kinds: areDates ? ['date'] : kindsIn({ ...row, objects: hasHollow ? objects : 0 }),
    count: Number(leaves),
    ...(low !== null && high !== null && { low, high }),
    samples: samplesIn(row).map(([, value]) => value),
  };
}

function refresh(database: DatabaseSync): void {
  const rows = database
    .prepare(
      'SELECT o.type, f.path, o.samples, o.stale FROM outline o JOIN fields f ON f.slot = o.slot WHERE o.stale > 0',
    )
    .all();
  for (const [type, ofType] of Map.groupBy(rows, (row) => String(row.type))) {
    const lacking = (bit: number) =>
      ofType
        .filter((row) => (Number(row.stale) & bit) !== 0)
        .flatMap((row) => {
          const field = findField(database, String(row.path));
          return field ? [{ field, samples: samplesIn(row) }] : [];
        });
    refreshRanges(
      database,
      type,
      lacking(stale.range).map(({ field }) => field),
    );
    for (const { field } of lacking(stale.dates)) refreshDates(database, type, field);
    refreshSamples(database, type, lacking(stale.samples));
  }
  database.exec('UPDATE outline SET stale = 0 WHERE stale > 0');
}

const NUMBER = "IN ('integer', 'real')";

function refreshRanges(database: DatabaseSync, type: string, fields: Field[]): void {
  const save = database.prepare('UPDATE outline SET low = ?, high = ? WHERE type = ? AND slot = ?');
  const columns = fields.filter(hasColumn).map(({ slot }) => slot);
  const ends = columns.flatMap((slot) =>
    ['min', 'max'].map(
      (end) => `${end}(CASE WHEN typeof(c${slot}) ${NUMBER} THEN c${slot} END) AS ${end}${slot}`,
    ),
  );
  const found =
    ends.length === 0
      ? {}
      : database.prepare(`SELECT ${ends.join(', ')} FROM records WHERE type = ?`).get(type);
  for (const slot of columns)
    save.run(numberOf(found?.[`min${slot}`]), numberOf(found?.[`max${slot}`]), type, slot);
  const others = fields.filter((field) => !hasColumn(field));
  if (others.length === 0) return;
  const wide = database.prepare(
    `SELECT min(w.value) AS low, max(w.value) AS high FROM wide w JOIN records r ON r.rid = w.rid
     WHERE w.slot = ? AND r.type = ? AND typeof(w.value) ${NUMBER}`,
  );
  for (const { slot } of others) {
    const range = wide.get(slot, type);
    save.run(numberOf(range?.low), numberOf(range?.high), type, slot);
  }
}

function refreshDates(database: DatabaseSync, type: string, field: Field): void {
  const { slot } = field;
  const texts = hasColumn(field)
    ? database.prepare(`SELECT c${slot} AS value FROM records WHERE type = ?`).iterate(type)
    : database
        .prepare('SELECT w.value FROM wide w JOIN records r ON r.rid = w.rid WHERE w.slot = ? AND r.type = ?')
        .iterate(slot, type);
  const range: Range<string> = { low: null, high: null };
  for (const { value } of texts)
    if (typeof value === 'string' && dateIn(value) !== undefined) widen(range, value, byTime);
  database
    .prepare('UPDATE outline SET first = ?, last = ? WHERE type = ? AND slot = ?')
    .run(range.low, range.high, type, slot);
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);

/** Adds values of the first records of the type to samples that are fewer than they may be. */
function refreshSamples(
  database: DatabaseSync,
  type: string,
  fields: { field: Field; samples: Sample[] }[],
): void {
  const wanted = fields.filter(({ samples }) => samples.length < SAMPLES_MAX);
  if (wanted.length === 0) return;
  const bodies = database
    .prepare(
      'SELECT r.rid, b.body FROM records r JOIN bodies b ON b.rid = r.rid WHERE r.type = ? ORDER BY r.rid LIMIT ?',
    )
    .iterate(type, SAMPLED_RECORDS_MAX);
  let characters = 0;
  for (const { rid, body } of bodies) {
    characters += String(body).length;
    const cells = flatten(storedFields(body));
    for (const { field, samples } of wanted) {
      const cell = cells.get(field.path);
      if (cell) addSamples(samples, cell, Number(rid));
    }
    const isDone = wanted.every(({ samples }) => samples.length === SAMPLES_MAX);
    if (isDone || characters > SAMPLED_CHARACTERS_MAX) break;
  }
  const save = database.prepare('UPDATE outline SET samples = ? WHERE type = ? AND slot = ?');
  for (const { field, samples } of wanted) save.run(JSON.stringify(samples), type, field.slot);
}

// The outline of a workspace: types, counts, fields with kinds, ranges and samples, maintained as records are applied.
import type { DatabaseSync } from 'node:sqlite';
import { OUTLINE_FIELDS_MAX, type Outline, type OutlineField } from '#contract/record-queries.ts';
import {
  addCell,
  type FieldChange,
  kindsIn,
  newFieldChange,
  removeCell,
  saveFields,
} from './field-counts.ts';
import { type Field, hasLongText, isLong } from './field-slots.ts';
import { type Cell, valuesOf } from './flatten.ts';
import { plain } from './plain-names.ts';
import { statementOn } from './prepared-statements.ts';

/** A field with more distinct texts than this has no vocabulary: only samples of its texts are stored. */
export const TEXTS_MAX = 2000;
const SAMPLES_SHOWN = 20;

export interface OutlineRecorder {
  countType(type: string, by: number): void;
  addName(nameKey: string): void;
  /** A record of the type has this cell. */
  add(type: string, field: Field, cell: Cell, rid: number): void;
  /** It has it no more. */
  remove(type: string, field: Field, cell: Cell, rid: number): void;
  flush(): void;
}

/** Collects what a batch of changes adds to the outline and takes from it. */
export function outlineRecorder(database: DatabaseSync): OutlineRecorder {
  const counts = new Map<string, number>();
  const fields = new Map<string, FieldChange>();
  const gone = new Set<number>();
  const texts = new Map<number, Set<string>>();
  const lengths = new Set<number>();

  function changeOf(type: string, { slot }: Field): FieldChange {
    const key = `${slot} ${type}`;
    const change = fields.get(key) ?? newFieldChange(type, slot);
    fields.set(key, change);
    return change;
  }

  function addText(slot: number, text: string): void {
    if (isLong(text)) return;
    const known = texts.get(slot) ?? new Set<string>();
    if (known.size <= TEXTS_MAX) known.add(text);
    texts.set(slot, known);
  }

  return {
    countType(type, by) {
      counts.set(type, (counts.get(type) ?? 0) + by);
    },
    addName(nameKey) {
      if (nameKey !== '') lengths.add(nameKey.split(' ').length);
    },
    add(type, field, cell, rid) {
      addCell(changeOf(type, field), cell, rid);
      for (const value of valuesOf(cell)) if (typeof value === 'string') addText(field.slot, value);
    },
    remove(type, field, cell, rid) {
      gone.add(rid);
      removeCell(changeOf(type, field), cell);
    },
    flush() {
      flushTypes(database, counts);
      saveFields(database, fields.values(), gone);
      for (const [slot, values] of texts) flushTexts(database, slot, values);
      const length = database.prepare('INSERT OR IGNORE INTO name_lengths(words) VALUES (?)');
      for (const words of lengths) length.run(words);
    },
  };
}

function flushTypes(database: DatabaseSync, counts: Map<string, number>): void {
  const add = database.prepare(
    'INSERT INTO types(type, count) VALUES (?, ?) ON CONFLICT(type) DO UPDATE SET count = count + excluded.count',
  );
  for (const [type, by] of counts) if (by !== 0) add.run(type, by);
  database.exec('DELETE FROM types WHERE count = 0');
}

function flushTexts(database: DatabaseSync, slot: number, values: Set<string>): void {
  const known = Number(database.prepare('SELECT texts FROM fields WHERE slot = ?').get(slot)?.texts);
  if (known > TEXTS_MAX) return;
  const insert = database.prepare('INSERT OR IGNORE INTO texts(key, slot, value) VALUES (?, ?, ?)');
  let count = known;
  for (const value of values) {
    const key = plain(value);
    if (key !== '') count += Number(insert.run(key, slot, value).changes);
    if (count > TEXTS_MAX) break;
  }
  if (count > TEXTS_MAX)
    database
      .prepare(
        'DELETE FROM texts WHERE slot = $slot AND (key, value) NOT IN (SELECT key, value FROM texts WHERE slot = $slot LIMIT $limit)',
      )
      .run({ slot, limit: SAMPLES_SHOWN });
  if (count !== known) database.prepare('UPDATE fields SET texts = ? WHERE slot = ?').run(count, slot);
}

/** The types that have records, the most frequent first. */
export function typesOf(database: DatabaseSync): { type: string; count: number }[] {
  return statementOn(database, 'SELECT type, count FROM types ORDER BY count DESC, type')
    .all()
    .map((row) => ({ type: String(row.type), count: Number(row.count) }));
}

/** The outline, the most frequent types first. */
export function outlineOf(database: DatabaseSync): Outline {
  return { types: typesOf(database).map((row) => ({ ...row, fields: fieldsOf(database, row.type) })) };
}

function fieldsOf(database: DatabaseSync, type: string): OutlineField[] {
  const rows = database
    .prepare(
      'SELECT f.path, f.kinds, f.texts AS distinct_texts, o.* FROM outline o JOIN fields f ON f.slot = o.slot WHERE o.type = ? ORDER BY o.slot LIMIT ?',
    )
    .all(type, OUTLINE_FIELDS_MAX);
  const samples = database.prepare('SELECT value FROM texts INDEXED BY texts_slot WHERE slot = ? LIMIT ?');
  return rows.map((row) => ({
    path: String(row.path),
    kinds: kindsIn(row),
    ...(row.low !== null && { low: Number(row.low), high: Number(row.high) }),
    samples: samples.all(Number(row.slot), SAMPLES_SHOWN).map(({ value }) => String(value)),
    ...(!hasLongText({ kinds: Number(row.kinds) }) && { distinct_texts: Number(row.distinct_texts) }),
  }));
}

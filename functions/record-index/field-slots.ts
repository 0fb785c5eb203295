// The fields of a workspace: each path has a slot, so that a client's name never becomes SQL.
import type { DatabaseSync } from 'node:sqlite';
import { type FieldKind, fieldKinds } from '#contract/record-queries.ts';
import type { Cell } from './flatten.ts';
import { COLUMN_SLOTS, FIRST_SLOTS } from './schema.ts';

/** One bit per kind, and one for texts that are too long for their column. */
const LONG_TEXT = 1 << fieldKinds.length;
const bitOf = (kind: FieldKind) => 1 << fieldKinds.indexOf(kind);

/** Instead of texts of this many characters or more the column has a mark; `wide` has them. */
const COLUMN_TEXT_CHARACTERS = 64;

export interface Field {
  slot: number;
  path: string;
  /** Bits of the kinds that any record ever had. */
  kinds: number;
}

export const hasKind = (field: Field, kind: FieldKind) => (field.kinds & bitOf(kind)) !== 0;
export const hasLongText = (field: Pick<Field, 'kinds'>) => (field.kinds & LONG_TEXT) !== 0;
export const hasColumn = (field: Field) => field.slot < COLUMN_SLOTS;

/** Whether a text is stored outside its column. */
export const isLong = (text: string) => text.length >= COLUMN_TEXT_CHARACTERS;

/** The same of the text of a cell. */
export const isLongCell = (cell: Cell) =>
  cell.kind === 'scalar' && typeof cell.value === 'string' && isLong(cell.value);

/** The kind of a cell. */
export function kindOf(cell: Cell): FieldKind {
  if (cell.kind !== 'scalar') return cell.kind;
  if (typeof cell.value === 'string') return 'text';
  return typeof cell.value === 'number' ? 'number' : 'boolean';
}

/** The bits of a cell. */
export function bitsOf(cell: Cell): number {
  return bitOf(kindOf(cell)) | (isLongCell(cell) ? LONG_TEXT : 0);
}

const SELECT = 'SELECT slot, path, kinds FROM fields WHERE path = ?';

/** The field of a path; undefined for one that no record ever had. */
export function findField(database: DatabaseSync, path: string): Field | undefined {
  const row = database.prepare(SELECT).get(path);
  return row && { slot: Number(row.slot), path, kinds: Number(row.kinds) };
}

/**
 * The fields while records are applied: looked up once, added when new, their kinds widened. Use it inside one
 * transaction.
 */
export function fieldRegistry(database: DatabaseSync): (path: string, bits: number) => Field {
  const known = new Map<string, Field>();
  const widen = database.prepare('UPDATE fields SET kinds = ? WHERE slot = ?');
  const insert = database.prepare('INSERT INTO fields(slot, path, kinds, texts) VALUES (?, ?, 0, 0)');
  const next = database.prepare('SELECT ifnull(max(slot) + 1, 0) AS slot FROM fields');

  function add(path: string): Field {
    const slot = Number(next.get()?.slot);
    insert.run(slot, path);
    if (slot >= FIRST_SLOTS && slot < COLUMN_SLOTS) database.exec(`ALTER TABLE records ADD COLUMN c${slot}`);
    return { slot, path, kinds: 0 };
  }

  return (path, bits) => {
    const field = known.get(path) ?? findField(database, path) ?? add(path);
    known.set(path, field);
    if ((field.kinds & bits) !== bits) {
      field.kinds |= bits;
      widen.run(field.kinds, field.slot);
    }
    return field;
  };
}

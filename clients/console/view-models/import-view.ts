// What the import of a file shows: the type that its name suggests, its first rows, and what became of the rows.
import type { Column as FileColumn } from '../../record-file/columns.ts';
import type { ImportOutcome } from '../../record-file/import-records.ts';
import type { RecordFile, RecordLine } from '../../record-file/record-file.ts';
import type { Row } from '../../sdk/index.ts';
import { type Column, columnsOf } from './cells.ts';
import { counted } from './figures.ts';

export const PREVIEW_ROWS = 20;

/** What the user chooses for a file. */
export interface ImportChoices {
  type: string;
  /** The column with the name; the reader finds one. */
  name_field: string | undefined;
  id_field: string | undefined;
  /** Whether records that exist get the content of their rows. */
  updates: boolean;
}

/** The known type that a file is named after: `companies.csv` is of type `company`. */
export function suggestedType(fileName: string, known: readonly string[]): string {
  const stem = fileName.replace(/\.[^.]*$/, '').toLowerCase();
  const named = (type: string) => [type, `${type}s`, `${type}es`, type.replace(/y$/, 'ies')].includes(stem);
  return known.find((type) => named(type.toLowerCase())) ?? '';
}

/** The first rows as a table, as the file has its columns, each with the kind of its values. */
export function previewOf(
  { columns }: Pick<RecordFile, 'columns'>,
  first: readonly RecordLine[],
): { columns: Column[]; rows: { at: number; row: Row }[] } {
  const rows = first.map((record) => (columns.length > 0 ? rowOf(columns, record) : ownRow(record)));
  const names =
    columns.length > 0 ? columns.map(({ name }) => name) : [...new Set(rows.flatMap(Object.keys))];
  return {
    columns: columnsOf(names, rows).map((column, at) => ({
      ...column,
      label: headOf(column.name, columns[at]),
    })),
    rows: rows.map((row, at) => ({ at, row })),
  };
}

function headOf(name: string, column: FileColumn | undefined): string {
  if (!column) return name;
  return `${name} (${column.role === 'field' ? column.kind : column.role})`;
}

function rowOf(columns: readonly FileColumn[], { name, external_id, fields = {} }: RecordLine): Row {
  const value = { name, id: external_id, field: undefined };
  return Object.fromEntries(
    columns.map((column) => [
      column.name,
      column.role === 'field' ? fields[column.name] : value[column.role],
    ]),
  );
}

const ownRow = ({ fields = {}, ...names }: RecordLine): Row => ({ ...names, ...fields });

/** What became of the rows so far, in words. */
export function outcomeText(outcome: ImportOutcome, updates: boolean): string {
  const { created, updated, unchanged, refused_count } = outcome;
  return [
    `${created.toLocaleString('en')} created`,
    ...(updates ? [`${updated.toLocaleString('en')} updated`] : []),
    `${unchanged.toLocaleString('en')} ${updates ? 'unchanged' : 'left as they were'}`,
    ...(refused_count > 0 ? [`${counted(refused_count, 'row')} refused`] : []),
  ].join(', ');
}

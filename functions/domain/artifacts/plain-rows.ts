// Rows as plain values, for programs and spreadsheets.
import type { TableRow } from '#contract/artifacts.ts';
import type { Json } from '#contract/json.ts';
import { onlyLink, visibleText } from '#platform/linked-markdown.ts';

/** The column with the id of the record that a row is about. */
const RECORD_COLUMN = '_record';

/** The columns of a plain table. A field of that name gives way to the service's own column. */
export const plainColumns = (columns: readonly string[]): string[] => [
  ...columns.filter((name) => name !== RECORD_COLUMN),
  RECORD_COLUMN,
];

/** The cell of each of these columns: strings at any depth as a reader sees them. */
export function plainCells(columns: readonly string[], row: TableRow): Json[] {
  return columns.map((name) => (name === RECORD_COLUMN ? recordOf(row) : plainValue(cellOf(row, name))));
}

/** The value of a cell; null where the row has none. */
export const cellOf = (row: TableRow, column: string): Json =>
  Object.hasOwn(row, column) ? (row[column] ?? null) : null;

/** The value with all strings in it, at any depth, as a reader of the Markdown sees them. */
export function plainValue(cell: Json): Json {
  if (typeof cell === 'string') return visibleText(cell);
  if (Array.isArray(cell)) return cell.map(plainValue);
  if (cell === null || typeof cell !== 'object') return cell;
  return Object.fromEntries(Object.entries(cell).map(([key, inner]) => [key, plainValue(inner)]));
}

/** The id in the link that a row's name is; empty for a group, which has none. */
function recordOf(row: TableRow): string {
  const name = cellOf(row, 'name');
  return typeof name === 'string' ? (onlyLink(name)?.id ?? '') : '';
}

// Tables as CSV (RFC 4180).
import { parseRecordLinks, withoutEscapes } from './record-links.ts';
import type { Row } from './types.ts';

export interface CsvOptions {
  /** Prefixes `'` to cells that a spreadsheet could evaluate as formulas. */
  safe?: boolean;
}

/** The column with the ids of the records that the rows are about. */
const RECORD = '_record';

/**
 * The rows as CSV with CRLF line ends and a header line. Texts are plain: links are reduced to their labels, and
 * `_record` has the id of the record that the name links to. A column of objects gives way to one for each member, such
 * as `address.city`; any other object or list is JSON, null is empty.
 */
export function toCsv(columns: readonly string[], rows: readonly Row[], options: CsvOptions = {}): string {
  const flat = columns.flatMap((name) => flattened({ name, cells: rows.map((row) => cellOf(row, name)) }));
  const ids = rows.map(recordOf);
  if (ids.some((id) => id !== '')) flat.push({ name: RECORD, cells: ids });
  const line = (cells: readonly unknown[]) => `${cells.map((cell) => field(cell, options)).join(',')}\r\n`;
  return [flat.map(({ name }) => name), ...rows.map((_, i) => flat.map(({ cells }) => cells[i]))]
    .map(line)
    .join('');
}

interface Column {
  name: string;
  cells: unknown[];
}

const cellOf = (row: object, key: string): unknown =>
  Object.hasOwn(row, key) ? Reflect.get(row, key) : null;

/** The column, or those of the members of its objects, by name. */
function flattened({ name, cells }: Column): Column[] {
  const objects = cells.filter((cell) => cell != null);
  if (!objects.every(isObject)) return [{ name, cells }];
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))].sort();
  if (keys.length === 0) return [{ name, cells }];
  return keys.flatMap((key) =>
    flattened({
      name: `${name}.${key}`,
      cells: cells.map((cell) => (isObject(cell) ? cellOf(cell, key) : null)),
    }),
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function recordOf({ name }: Row): string {
  if (typeof name !== 'string') return '';
  for (const part of parseRecordLinks(name))
    if (typeof part !== 'string' && part.kind === 'entity') return part.id;
  return '';
}

function field(cell: unknown, { safe = false }: CsvOptions): string {
  const text = typeof cell === 'string' ? plain(cell) : cell == null ? '' : JSON.stringify(cell);
  // Normalized, signs and bars of any width are the plain ones. Spreadsheets skip blanks, breaks and bars.
  const formula = /^([\t\r\n]|[\s\p{C}|]*[-=+@])/u;
  const shown = safe && typeof cell === 'string' && formula.test(text.normalize('NFKC')) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

function plain(text: string): string {
  return parseRecordLinks(text)
    .map((part) => (typeof part === 'string' ? withoutEscapes(part) : part.label))
    .join('');
}

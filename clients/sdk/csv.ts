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
 * `_record` has the id of the record that the name links to. Objects have a column for each member, such as
 * `address.city`; lists are JSON, null is empty.
 */
export function toCsv(columns: readonly string[], rows: readonly Row[], options: CsvOptions = {}): string {
  const under = new Map(columns.map((column) => [column, new Set<string>()]));
  const flat = rows.map((row) => flattened(row, under));
  const ids = rows.map(recordOf);
  // A column of objects gives way to their members.
  const names = [...under].flatMap(([column, found]) => (found.size > 0 ? [...found].sort() : [column]));
  const line = (cells: readonly unknown[]) => `${cells.map((cell) => field(cell, options)).join(',')}\r\n`;
  const hasIds = ids.some((id) => id !== '');
  return [
    line(hasIds ? [...names, RECORD] : names),
    ...flat.map((cells, i) => {
      const values = names.map((name) => cells.get(name));
      return line(hasIds ? [...values, ids[i]] : values);
    }),
  ].join('');
}

/** The cells of a row by the names of their columns, which are added to those `under` each column of the table. */
function flattened(row: Row, under: Map<string, Set<string>>): Map<string, unknown> {
  const cells = new Map<string, unknown>();
  const enter = (name: string, value: unknown, found: Set<string>) => {
    const members = isObject(value) ? Object.entries(value) : [];
    for (const [key, member] of members) enter(`${name}.${key}`, member, found);
    if (members.length > 0 || value == null) return;
    cells.set(name, value);
    found.add(name);
  };
  for (const [column, found] of under) if (Object.hasOwn(row, column)) enter(column, row[column], found);
  return cells;
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

// Tables as CSV (RFC 4180).
import type { Row } from './types.ts';

export interface CsvOptions {
  /** Prefixes `'` to cells that a spreadsheet could evaluate as formulas. */
  safe?: boolean;
}

/** The rows as CSV with CRLF line ends and a header line; an object in a cell is JSON, null is empty. */
export function toCsv(columns: readonly string[], rows: readonly Row[], options: CsvOptions = {}): string {
  const line = (cells: readonly unknown[]) => `${cells.map((cell) => field(cell, options)).join(',')}\r\n`;
  return [
    columns,
    ...rows.map((row) => columns.map((column) => (Object.hasOwn(row, column) ? row[column] : ''))),
  ]
    .map(line)
    .join('');
}

function field(cell: unknown, { safe = false }: CsvOptions): string {
  const text = typeof cell === 'string' ? cell : cell == null ? '' : JSON.stringify(cell);
  // Normalized, signs and bars of any width are the plain ones. Spreadsheets skip blanks, breaks and bars.
  const formula = /^([\t\r\n]|[\s\p{C}|]*[-=+@])/u;
  const shown = safe && typeof cell === 'string' && formula.test(text.normalize('NFKC')) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

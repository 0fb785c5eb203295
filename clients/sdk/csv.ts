// Tables as CSV (RFC 4180).
import type { Row } from './types.ts';

export interface CsvOptions {
  /** Prefixes `'` to cells that a spreadsheet could evaluate as formulas, also behind blanks, breaks or a bar. */
  safe?: boolean;
}

/** The rows as CSV with CRLF line ends and a header line; an object in a cell is JSON, null is empty. */
export function toCsv(columns: readonly string[], rows: readonly Row[], options: CsvOptions = {}): string {
  const line = (cells: unknown[]) => `${cells.map((cell) => field(cell, options)).join(',')}\r\n`;
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) => line([...cells]))
    .join('');
}

function field(cell: unknown, { safe = false }: CsvOptions): string {
  const text = typeof cell === 'string' ? cell : cell == null ? '' : JSON.stringify(cell);
  const shown = safe && typeof cell === 'string' && isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** What spreadsheets skip before a formula. */
const SKIPPED = /^[\s\p{C}|\uff5c]*/u;

/** Whether a text begins a formula for some spreadsheet. Full-width signs count like the others. */
function isFormula(text: string): boolean {
  const [skipped = ''] = SKIPPED.exec(text) ?? [];
  const [sign = ''] = text.slice(skipped.length);
  return /^[\t\r\n]/.test(text) || /^[=+\-@]/.test(sign.normalize('NFKC'));
}

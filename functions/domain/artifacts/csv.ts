// CSV (RFC 4180).
import type { Json } from '#contract/json.ts';

/**
 * One line of cells. A string that a spreadsheet would take for a formula begins with `'`, unless formulas are kept;
 * null is empty, an object or list is JSON.
 */
export function csvLine(cells: readonly Json[], keepFormulas: boolean): string {
  return `${cells.map((cell) => field(cell, keepFormulas)).join(',')}\r\n`;
}

// Normalized, signs and bars of any width are the plain ones. Spreadsheets skip blanks, breaks and bars.
const FORMULA = /^([\t\r\n]|[\s\p{C}|]*[-=+@])/u;
const NEGATIVE_NUMBER = /^-\d+(\.\d+)?(e[-+]?\d+)?$/i;
// Spreadsheets may separate by `;` and tabs, quote with `'`, and cut off blanks: the rest of a cell could be a formula.
const QUOTED = /[",;\t\r\n]|^[\s']|[\s']$/;

function field(cell: Json, keepFormulas: boolean): string {
  const text = typeof cell === 'string' ? cell : cell === null ? '' : JSON.stringify(cell);
  const disarmed = typeof cell === 'string' && !keepFormulas && isFormula(text) ? `'${text}` : text;
  return QUOTED.test(disarmed) ? `"${disarmed.replaceAll('"', '""')}"` : disarmed;
}

function isFormula(text: string): boolean {
  // Most cells; the rest is slow.
  if (/^[A-Za-z0-9]/.test(text)) return false;
  return FORMULA.test(text.normalize('NFKC')) && !NEGATIVE_NUMBER.test(text);
}

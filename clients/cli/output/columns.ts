// Rows as text columns.
import { plainLine } from './plain.ts';
import { widthOf } from './terminal.ts';

export type Cell = string;

/** Columns of equal width, two spaces apart; the last one is not padded. Without `heads`, rows only. */
export function columnsText(rows: readonly (readonly Cell[])[], heads?: readonly string[]): string {
  const shown = [...(heads ? [heads] : []), ...rows].map((row) => row.map(plainLine));
  const widths = (shown[0] ?? []).map((_, column) =>
    Math.max(...shown.map((row) => widthOf(row[column] ?? ''))),
  );
  const line = (row: string[]) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))).join('  ');
  return shown.map((row) => `${line(row).trimEnd()}\n`).join('');
}

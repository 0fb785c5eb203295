// Rows as columns of text, as Markdown, and as CSV.
import { plainLine } from './plain.ts';
import { widthOf } from './terminal.ts';

export type Cell = string;

/** Columns of equal width, two blanks between them; the last one is not filled up. Without `heads`, rows alone. */
export function columnsText(rows: readonly (readonly Cell[])[], heads?: readonly string[]): string {
  const shown = [...(heads ? [heads] : []), ...rows].map((row) => row.map(plainLine));
  const widths = (shown[0] ?? []).map((_, column) =>
    Math.max(...shown.map((row) => widthOf(row[column] ?? ''))),
  );
  const line = (row: string[]) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))).join('  ');
  return shown.map((row) => `${line(row).trimEnd()}\n`).join('');
}

/** A table of GitHub's Markdown. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cell = (text: string) => plainLine(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|');
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [heads.map(cell), heads.map(() => '---'), ...rows.map((row) => row.map(cell))].map(line).join('');
}

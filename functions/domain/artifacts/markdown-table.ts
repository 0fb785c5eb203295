// A table as Markdown (GFM).
import type { TableRow } from '#contract/artifacts.ts';
import type { Json } from '#contract/json.ts';
import { asMarkdown } from '#platform/linked-markdown.ts';
import { cellOf, plainValue } from './plain-rows.ts';

/** The header of a table and the line below it. */
export function markdownHead(columns: readonly string[]): string {
  return lineOf(columns.map(asMarkdown)) + lineOf(columns.map(() => '---'));
}

/** A row; its strings are Markdown already, with their record links. */
export function markdownRow(columns: readonly string[], row: TableRow): string {
  return lineOf(columns.map((column) => markdownOf(cellOf(row, column))));
}

function markdownOf(cell: Json): string {
  if (typeof cell === 'string') return cell;
  if (cell === null) return '';
  return typeof cell === 'object' ? asMarkdown(JSON.stringify(plainValue(cell))) : String(cell);
}

const lineOf = (cells: readonly string[]) => `| ${cells.map(inCell).join(' | ')} |\n`;

/** Within a cell a bar is escaped, and a break is a space. */
const inCell = (markdown: string) => markdown.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();

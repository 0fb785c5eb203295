// The visible rows of a table: searched by words, sorted by a column, paged.
import type { Row } from '../../sdk/index.ts';
import { visibleText } from './cells.ts';

export interface Sorting {
  column: string;
  descending: boolean;
}

/** A row with the visible text of its cells, computed once. */
export interface ReadRow {
  /** Its place in the table, whatever the order. */
  at: number;
  row: Row;
  texts: Readonly<Record<string, string>>;
}

export const PAGE_ROWS = 200;

export function readRows(columns: readonly string[], rows: readonly Row[]): ReadRow[] {
  return rows.map((row, at) => ({
    at,
    row,
    texts: Object.fromEntries(columns.map((column) => [column, visibleText(row[column])])),
  }));
}

/** The rows that contain every word, in any case. */
export function foundRows(rows: readonly ReadRow[], words: string): readonly ReadRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return rows;
  return rows.filter(({ texts }) => {
    const all = Object.values(texts).join('\n').toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Numbers by size before texts by letter; empty cells come last in either direction. Stable. */
export function sortedRows(rows: readonly ReadRow[], sorting: Sorting | undefined): readonly ReadRow[] {
  if (!sorting) return rows;
  const { column, descending } = sorting;
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [a.row[column], b.row[column]];
    const [s, t] = [a.texts[column] ?? '', b.texts[column] ?? ''];
    if (s === '' || t === '') return Number(s === '') - Number(t === '');
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
    if (typeof x === 'number' || typeof y === 'number') return sign * (typeof x === 'number' ? -1 : 1);
    return sign * collator.compare(s, t);
  });
}

// Rows as text columns.
import { plainLine } from './plain.ts';
import { type Screen, shortened, widthOf } from './terminal.ts';

export type Cell = string;

const GAP = 2;
/** A narrower column says nothing. */
const NARROWEST = 8;
/** Ids are there to be copied. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Form {
  heads?: readonly string[];
  /** What a line may take; without it, nothing is cut. */
  columns?: number | undefined;
}

/**
 * Columns of equal width, two spaces apart; the last one is not padded. Where a line may take fewer columns, long cells
 * are cut with an ellipsis, ids last, and columns for which there is no room are named below.
 */
export function columnsText(rows: readonly (readonly Cell[])[], { heads, columns }: Form = {}): string {
  const shown = [...(heads ? [heads] : []), ...rows].map((row) => row.map(plainLine));
  const natural = (shown[0] ?? []).map((_, column) =>
    Math.max(...shown.map((row) => widthOf(row[column] ?? ''))),
  );
  const isFixed = (column: number) => rows.length > 0 && rows.every((row) => ID.test(row[column] ?? ''));
  const widths = columns === undefined ? natural : fitting(natural, isFixed, columns);
  const line = (row: string[]) =>
    widths
      .map((width, column) => {
        const cell = shortened(row[column] ?? '', width);
        return cell + ' '.repeat(Math.max(width - widthOf(cell), 0));
      })
      .join(' '.repeat(GAP));
  const cut = (text: string) => (columns === undefined ? text : shortened(text, columns));
  const text = shown.map((row) => `${cut(line(row).trimEnd())}\n`).join('');
  const left = heads?.slice(widths.length).map(plainLine) ?? [];
  return left.length === 0 ? text : `${text}${cut(`not shown: ${left.join(', ')}`)}\n`;
}

/** A list for people has heads; in a pipe each line is an entry. */
export function rowsText(
  rows: readonly (readonly Cell[])[],
  heads: readonly string[],
  { columns }: Screen,
): string {
  const isRead = columns !== undefined && rows.length > 0;
  return columnsText(rows, { columns, ...(isRead && { heads }) });
}

/** The widths of as many columns as fit, the widest ones cut first. */
function fitting(natural: readonly number[], isFixed: (column: number) => boolean, room: number): number[] {
  const least = natural.map((width, column) => (isFixed(column) ? width : Math.min(width, NARROWEST)));
  const fits = least.findIndex((_, i) => sumOf(least.slice(0, i + 1)) + GAP * i > room);
  const count = fits < 0 ? natural.length : Math.max(fits, 1);
  const widths = natural.slice(0, count);
  let over = sumOf(widths) + GAP * (count - 1) - room;
  for (; over > 0; over -= 1) {
    const most = Math.max(...widths.map((width, column) => (width > (least[column] ?? 0) ? width : 0)));
    if (most === 0) break;
    widths[widths.lastIndexOf(most)] = most - 1;
  }
  return widths;
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

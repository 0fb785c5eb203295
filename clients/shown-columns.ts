// The columns of a table that people read (rules.md: artifacts 7).
import { parseRecordLinks, type Row } from './sdk/index.ts';

/** Stands for an absent value in the name of a group. */
const ABSENT = '(none)';
const GROUPED_FIELDS_MAX = 3;

/** The columns, without a `name` that only repeats the values of a group in the columns after it. */
export function shownColumns(columns: readonly string[], rows: readonly Row[]): readonly string[] {
  const [first, ...others] = columns;
  if (first !== 'name' || rows.length === 0 || others.length === 0) return columns;
  const repeats = (depth: number) =>
    rows.every((row) => {
      const values = others.slice(0, depth).map((column) => textOf(row[column]));
      return values.join(' / ') === textOf(row.name);
    });
  for (let depth = 0; depth <= GROUPED_FIELDS_MAX; depth++) if (repeats(depth)) return others;
  return columns;
}

/** The text of a cell in the name of a group; undefined for a record link, which is more than its text. */
function textOf(cell: Row[string] | undefined): string | undefined {
  if (cell === null || cell === undefined) return ABSENT;
  if (typeof cell !== 'string') return String(cell);
  const parts = parseRecordLinks(cell);
  return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
}

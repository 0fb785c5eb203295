// Merges the results of several workspaces: hits in a common order, groups from their parts.
import type { FieldSort, Measure, SortWord } from '#contract/conditions.ts';
import { compareOne } from '#contract/groups.ts';
import {
  compareKeys,
  compareText,
  type GroupRow,
  type Hit,
  type MeasureParts,
  type SortKey,
} from '#contract/record-queries.ts';

/** The first hits of all parts, and the total size of their selections. */
export function mergeFound<H extends Pick<Hit, 'id' | 'keys'>>(
  parts: { hits: H[]; matched: number }[],
  { sort, limit }: { sort: SortWord | FieldSort[]; limit: number },
): { hits: H[]; matched: number } {
  const directions = directionsOf(sort);
  const order = (left: H, right: H) =>
    compareAll(left.keys, right.keys, directions) || compareText(left.id, right.id);
  const hits = parts.flatMap((part) => part.hits);
  return {
    hits: (parts.length > 1 ? hits.toSorted(order) : hits).slice(0, limit),
    matched: parts.reduce((sum, { matched }) => sum + matched, 0),
  };
}

/** The order of each key of a hit. */
function directionsOf(sort: SortWord | FieldSort[]): ('asc' | 'desc')[] {
  if (typeof sort !== 'string') return sort.map(({ direction = 'asc' }) => direction);
  return sort === 'name_asc' ? ['asc', 'asc'] : ['desc'];
}

function compareAll(left: SortKey[], right: SortKey[], directions: ('asc' | 'desc')[]): number {
  for (const [i, direction] of directions.entries()) {
    const order = compareOne(left[i] ?? null, right[i] ?? null, direction);
    if (order !== 0) return order;
  }
  return 0;
}

/** The groups of all parts, each once. */
export function mergeGroups(parts: GroupRow[][], measures: Measure[]): GroupRow[] {
  const merged = new Map<string, GroupRow>();
  for (const row of parts.flat()) {
    const key = JSON.stringify(row.values);
    const known = merged.get(key);
    merged.set(key, known ? mergeRows(known, row, measures) : row);
  }
  return [...merged.values()];
}

function mergeRows(left: GroupRow, right: GroupRow, measures: Measure[]): GroupRow {
  return {
    values: left.values,
    measures: measures.map(({ op }, i) => mergeParts(op, left.measures[i], right.measures[i])),
  };
}

function mergeParts(
  op: Measure['op'],
  left: MeasureParts = { count: 0 },
  right: MeasureParts = { count: 0 },
): MeasureParts {
  const sums = [left.sum ?? null, right.sum ?? null].filter((sum) => sum !== null);
  return {
    count: left.count + right.count,
    sum: sums.length === 0 ? null : sums.reduce((total, sum) => total + sum),
    number: best(op, left.number ?? null, right.number ?? null),
    text: best(op, left.text ?? null, right.text ?? null),
  };
}

/** The lesser of two values for `min`, else the greater. */
function best<T extends number | string>(op: Measure['op'], left: T | null, right: T | null): T | null {
  if (left === null || right === null) return left ?? right;
  return compareKeys(left, right) < 0 === (op === 'min') ? left : right;
}

// Groups of records: their names, measures and order (rules.md: records 7, records 9, records 10).
import { type FieldSort, type Measure, sameField } from './conditions.ts';
import {
  compareKeys,
  compareText,
  type GroupRow,
  type MeasureParts,
  type SortKey,
} from './record-queries.ts';

/** Stands for an absent value in a group's name. */
const ABSENT = '(none)';

/** The name of a group with these values. */
export const groupName = (values: SortKey[]): string =>
  values.map((value) => (value === null ? ABSENT : String(value))).join(' / ');

/** The measure computed from its parts; null is absent. */
export function measureOf(op: Measure['op'], parts: MeasureParts = { count: 0 }): SortKey {
  const { count, sum = null, number = null, text = null } = parts;
  if (op === 'count') return count;
  if (op === 'min' || op === 'max') return number ?? text;
  if (sum === null || count === 0) return null;
  const value = op === 'sum' ? sum : sum / count;
  // An infinite sum is absent.
  return Number.isFinite(value) ? value : null;
}

/** Compares two keys; absent ones are last in either direction. */
export function compareOne(left: SortKey, right: SortKey, direction: 'asc' | 'desc'): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return direction === 'asc' ? compareKeys(left, right) : compareKeys(right, left);
}

/** How groups are made and which are wanted. `sort` names measures or grouped fields; default: the first measure. */
export interface GroupOrder {
  group_by: string[];
  measures: Measure[];
  sort: FieldSort[] | undefined;
  limit: number;
}

/** The first groups in sort order. */
export function firstGroups(rows: GroupRow[], { sort, limit, ...made }: GroupOrder): GroupRow[] {
  const keys = (sort ?? []).map(({ field, direction = 'asc' }) => ({
    direction,
    keyOf: keyNamed(field, made),
  }));
  if (!sort) keys.push({ direction: 'desc', keyOf: measureAt(0, made.measures) });
  const ranked = rows.map((row) => ({
    row,
    name: groupName(row.values),
    keys: keys.map(({ keyOf }) => keyOf(row)),
  }));
  ranked.sort((left, right) => {
    for (const [i, { direction }] of keys.entries()) {
      const order = compareOne(left.keys[i] ?? null, right.keys[i] ?? null, direction);
      if (order !== 0) return order;
    }
    return compareText(left.name, right.name);
  });
  return ranked.slice(0, limit).map(({ row }) => row);
}

function keyNamed(field: string, { group_by, measures }: Pick<GroupOrder, 'group_by' | 'measures'>) {
  const measure = measures.findIndex(({ as }) => as === field);
  if (measure >= 0) return measureAt(measure, measures);
  const grouped = group_by.findIndex((other) => sameField(other, field));
  return ({ values }: GroupRow) => values[grouped] ?? null;
}

function measureAt(i: number, measures: Measure[]): (row: GroupRow) => SortKey {
  const op = measures[i]?.op;
  return ({ measures: parts }) => (op === undefined ? null : measureOf(op, parts[i]));
}

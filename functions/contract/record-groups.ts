// Groups of records: their names, measures and order (rules.md: records 7, records 9, records 10).
import { fieldOfGroup, type Measure, sameField } from './conditions.ts';
import {
  compareKeys,
  compareText,
  type FoundGroups,
  type GroupOrder,
  type GroupRow,
  type MeasureParts,
  type SortKey,
} from './record-queries.ts';

/** Stands for an absent value in a group's name. */
const ABSENT = '(none)';

/** The name of a group with these values. */
export const groupName = (values: SortKey[]): string =>
  values.map((value) => (value === null ? ABSENT : String(value))).join(' / ');

const AVERAGE_DIGITS = 12;

/** The measure computed from its parts; null is absent. */
export function measureOf(op: Measure['op'], parts: MeasureParts = { count: 0 }): SortKey {
  const { count, sum = null, number = null, text = null } = parts;
  if (op === 'count') return count;
  if (op === 'min' || op === 'max') return number ?? text;
  if (sum === null || count === 0) return null;
  // Further digits of a quotient are those of its rounding (rules.md: records 18).
  const value = op === 'sum' ? sum : Number((sum / count).toPrecision(AVERAGE_DIGITS));
  // An infinite sum is absent.
  return Number.isFinite(value) ? value : null;
}

/** Compares two keys; absent ones are last in either direction. */
export function compareOne(left: SortKey, right: SortKey, direction: 'asc' | 'desc'): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return direction === 'asc' ? compareKeys(left, right) : compareKeys(right, left);
}

/** How many times the limit are collected before they are sorted and cut. */
const CUT_AT = 2;

/** The first groups in sort order, and the number of all. Retains few more rows than it returns. */
export function firstGroups(rows: Iterable<GroupRow>, { sort, limit, ...made }: GroupOrder): FoundGroups {
  const keys = (sort ?? []).map(({ field, direction = 'asc' }) => ({
    direction,
    keyOf: keyNamed(field, made),
  }));
  if (!sort) keys.push({ direction: 'desc', keyOf: measureAt(0, made.measures) });
  const ranked = (row: GroupRow) => ({
    row,
    name: groupName(row.values),
    keys: keys.map(({ keyOf }) => keyOf(row)),
  });
  type Ranked = ReturnType<typeof ranked>;
  const order = (left: Ranked, right: Ranked): number => {
    for (const [i, { direction }] of keys.entries()) {
      const compared = compareOne(left.keys[i] ?? null, right.keys[i] ?? null, direction);
      if (compared !== 0) return compared;
    }
    return compareText(left.name, right.name);
  };
  const best: Ranked[] = [];
  const cut = () => best.sort(order).splice(limit);
  let matched = 0;
  let last: Ranked | undefined;
  for (const row of rows) {
    matched += 1;
    const next = ranked(row);
    if (last && order(next, last) > 0) continue;
    best.push(next);
    if (best.length < CUT_AT * limit) continue;
    cut();
    last = best.at(-1);
  }
  cut();
  return { rows: best.map(({ row }) => row), matched };
}

function keyNamed(field: string, { group_by, measures }: Pick<GroupOrder, 'group_by' | 'measures'>) {
  const measure = measures.findIndex(({ as }) => as === field);
  if (measure >= 0) return measureAt(measure, measures);
  const grouped = group_by.findIndex((other) => sameField(fieldOfGroup(other), field));
  return ({ values }: GroupRow) => values[grouped] ?? null;
}

function measureAt(i: number, measures: Measure[]): (row: GroupRow) => SortKey {
  const op = measures[i]?.op;
  return ({ measures: parts }) => (op === undefined ? null : measureOf(op, parts[i]));
}

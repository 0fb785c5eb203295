// Groups of records as items: what they are named, their measures, their order (rules.md: records 7, records 9, records 10).
import { type FieldSort, type Measure, sameField } from '#contract/conditions.ts';
import { compareText, type GroupRow, type MeasureParts, type SortKey } from '#contract/record-queries.ts';
import { fingerprint, uuidFrom } from '#platform/crypto.ts';
import { compareOne } from '#sources/merge.ts';
import type { Item } from './step.ts';

/** How records are grouped; `asked` holds whatever else the groups depend on, so that groups of different steps are different items. */
export interface Grouping {
  group_by: string[];
  measures: Measure[];
  asked: unknown;
}

/** What a group is named where a value is absent. */
const ABSENT = '(none)';

interface Group {
  name: string;
  values: SortKey[];
  measures: SortKey[];
}

/** The first groups as items. `sort` names measures or grouped fields; without it the first measure counts, the greatest first. */
export function groupItems(
  rows: GroupRow[],
  grouping: Grouping,
  { sort, limit }: { sort: FieldSort[] | undefined; limit: number },
): Item[] {
  const groups = rows.map(
    ({ values, measures }): Group => ({
      name: values.map((value) => (value === null ? ABSENT : String(value))).join(' / '),
      values,
      measures: grouping.measures.map(({ op }, i) => measureOf(op, measures[i])),
    }),
  );
  return groups
    .toSorted(orderOf(grouping, sort))
    .slice(0, limit)
    .map((group) => toItem(group, grouping));
}

/** The measure that its parts make; null is absent. */
function measureOf(op: Measure['op'], parts: MeasureParts = { count: 0 }): SortKey {
  const { count, sum = null, number = null, text = null } = parts;
  if (op === 'count') return count;
  if (op === 'min' || op === 'max') return number ?? text;
  if (sum === null || count === 0) return null;
  const value = op === 'sum' ? sum : sum / count;
  // A sum beyond all numbers is none.
  return Number.isFinite(value) ? value : null;
}

function orderOf(
  { group_by, measures }: Grouping,
  sort: FieldSort[] | undefined,
): (left: Group, right: Group) => number {
  const keys = sort
    ? sort.map(({ field, direction = 'asc' }) => ({ direction, keyOf: keyNamed(field, group_by, measures) }))
    : [{ direction: 'desc' as const, keyOf: (group: Group) => group.measures[0] ?? null }];
  return (left, right) => {
    for (const { direction, keyOf } of keys) {
      const order = compareOne(keyOf(left), keyOf(right), direction);
      if (order !== 0) return order;
    }
    return compareText(left.name, right.name);
  };
}

function keyNamed(field: string, groupBy: string[], measures: Measure[]): (group: Group) => SortKey {
  const measure = measures.findIndex(({ as }) => as === field);
  if (measure >= 0) return (group) => group.measures[measure] ?? null;
  const grouped = groupBy.findIndex((other) => sameField(other, field));
  return (group) => group.values[grouped] ?? null;
}

function toItem({ name, values, measures }: Group, grouping: Grouping): Item {
  const named = [
    ...grouping.group_by.map((field, i) => [field, values[i] ?? null] as const),
    ...grouping.measures.map(({ as }, i) => [as, measures[i] ?? null] as const),
  ];
  const fields = Object.fromEntries(named.filter(([, value]) => value !== null));
  const { asked, group_by } = grouping;
  const id = uuidFrom(
    Buffer.from(fingerprint({ asked, group_by, measures: grouping.measures, values }), 'hex'),
  );
  return { id, kind: 'group', type: 'group', name, fields };
}

// How the values of a field are distributed: how a plan groups them, and what a chart draws of the groups.
import type { EntityType, StepItem } from '../../sdk/index.ts';
import { columnsOf } from './cells.ts';
import { type ChartData, exact, roundStep, writeRound } from './chart-data.ts';
import { labelOf } from './figures.ts';
import type { Condition, FetchParams } from './record-view.ts';

type Field = EntityType['fields'][number];
type Period = 'day' | 'month' | 'year';

/** About how many days each has. */
const periodDays = { day: 1, month: 30 } as const;

/** How values are put together: each by itself, or those of a period or a step. */
export type Cut =
  | { kind: 'values' }
  | { kind: 'numbers'; width: number; isWhole: boolean }
  | { kind: 'dates'; by: Period };

const DAY_MS = 86_400_000;
const STEPS = 20;
/** How many values are drawn, the most frequent ones. */
export const MOST_VALUES = 20;
/** Of dates and numbers, all: their range has no more. */
const MOST_GROUPS = 100;

/** Fields whose values can be distributed. */
export const canBeDistributed = ({ kinds }: Field) => kinds.some((kind) => kind !== 'object');

/** The cut that suits what is known of a field's values; dates are put together by the wanted period if they can be. */
export function cutOf(field: Field, wanted?: string): Cut {
  const { kinds, min, max, samples } = field;
  const only = kinds.length === 1 ? kinds[0] : undefined;
  if (only === 'number' && typeof min === 'number' && typeof max === 'number' && min < max) {
    const isWhole = [min, max, ...samples].every(Number.isInteger);
    const width = roundStep((max - min) / STEPS);
    return { kind: 'numbers', isWhole, width: isWhole ? Math.max(1, width) : width };
  }
  const periods = periodsOf(field);
  const by = periods.find((one) => one === wanted) ?? (periods.includes('month') ? 'month' : periods.at(-1));
  return by ? { kind: 'dates', by } : { kind: 'values' };
}

/** The periods by which a field's dates can be put together, the shortest first; none where it has other values. */
export function periodsOf({ kinds, min, max }: Field): Period[] {
  if (kinds.join() !== 'date' || typeof min !== 'string' || typeof max !== 'string') return [];
  const days = (Date.parse(max) - Date.parse(min)) / DAY_MS;
  return (['day', 'month', 'year'] as const).filter(
    (period) => period === 'year' || days / periodDays[period] < MOST_GROUPS - 1,
  );
}

/** ` by month`, ` in steps of 500`. */
export function cutText(cut: Cut): string {
  if (cut.kind === 'dates') return ` by ${cut.by}`;
  return cut.kind === 'numbers' && cut.width !== 1 ? ` in steps of ${writeRound(cut.width)}` : '';
}

/** What a fetch step is asked for, over a selection of records. */
export function groupsOf(selection: FetchParams, field: string, cut: Cut): FetchParams {
  const by = cut.kind === 'dates' ? cut.by : cut.kind === 'numbers' ? { width: cut.width } : undefined;
  return {
    ...selection,
    group_by: [by === undefined ? field : { field, by }],
    limit: cut.kind === 'values' ? MOST_VALUES : MOST_GROUPS,
  };
}

export interface Group {
  /** Undefined for records without such a value. */
  value: string | number | boolean | undefined;
  count: number;
}

/** The groups of a field, as a fetch step passed them on. */
export function readGroups(items: readonly StepItem[], field: string): Group[] {
  return items.map(({ fields }) => {
    const value = fields[field];
    const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return { value: isScalar ? value : undefined, count: Number(fields.count ?? 0) };
  });
}

/** How many records have no such value. */
export const withoutValue = (groups: readonly Group[]) =>
  groups.find(({ value }) => value === undefined)?.count ?? 0;

const writeCount = (count: number) => count.toLocaleString('en');
const series = [{ name: 'Records', look: 'first' }] as const;

/** A point for each step from the least value to the greatest, those without records included. */
export function numbersChart(
  groups: readonly Group[],
  field: string,
  { width, isWhole }: Extract<Cut, { kind: 'numbers' }>,
): ChartData {
  const counts = new Map(
    groups.flatMap(({ value, count }) =>
      typeof value === 'number' ? [[Math.round(value / width), count]] : [],
    ),
  );
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  const steps = counts.size > 0 ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : [];
  const bounds = [...steps, last + 1].map((step) => ({ [field]: exact(step * width) }));
  const [column] = columnsOf([field], bounds);
  const write = (value: number) => column?.write(exact(value)) ?? String(value);
  return {
    head: labelOf(field),
    series,
    write: writeCount,
    points: steps.map((step) => {
      const label = write(step * width);
      const name =
        isWhole && width === 1
          ? label
          : isWhole
            ? `${label} to ${write((step + 1) * width - 1)}`
            : `${label} to below ${write((step + 1) * width)}`;
      return { label, name, values: [counts.get(step) ?? 0] };
    }),
  };
}

/** A point for each period from the first to the last, those without records included. */
export function datesChart(groups: readonly Group[], field: string): ChartData {
  const counts = new Map(groups.flatMap(({ value, count }) => (isPeriod(value) ? [[value, count]] : [])));
  return {
    head: labelOf(field),
    series,
    write: writeCount,
    points: periodsBetween([...counts.keys()]).map((period) => ({
      label: periodLabel(period),
      name: period,
      values: [counts.get(period) ?? 0],
    })),
  };
}

const PERIOD = /^(\d{4})(?:-(?:Q([1-4])|(\d{2})(?:-(\d{2}))?))?$/;

/** Whether a value is the beginning of a period: `2026`, `2026-Q2`, `2026-05`, `2026-05-11`. */
export const isPeriod = (value: unknown): value is string => typeof value === 'string' && PERIOD.test(value);

const MOST_PERIODS = 400;

/** All periods from the first to the last; the given ones alone where they are of several kinds or too far apart. */
export function periodsBetween(given: readonly string[]): string[] {
  const known = [...new Set(given)].sort();
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return [];
  const step = stepOfDays(known);
  const all = [first];
  for (let next = first; next < last && all.length < MOST_PERIODS; ) {
    next = following(next, step);
    all.push(next);
  }
  return known.every((one) => all.includes(one)) ? all : known;
}

/** Weeks are days that are all seven days apart. */
function stepOfDays(known: readonly string[]): number {
  const days = known.map((one) => Date.parse(one) / DAY_MS);
  const isWeekly = known.length > 1 && days.every((day) => (day - (days[0] ?? 0)) % 7 === 0);
  return isWeekly ? 7 : 1;
}

function following(period: string, days: number): string {
  const [, year = '', quarter, month, day] = PERIOD.exec(period) ?? [];
  if (day) return new Date(Date.parse(period) + days * DAY_MS).toISOString().slice(0, 10);
  const next = String(Number(year) + 1).padStart(4, '0');
  if (quarter) return quarter === '4' ? `${next}-Q1` : `${year}-Q${Number(quarter) + 1}`;
  if (!month) return next;
  return month === '12' ? `${next}-01` : `${year}-${String(Number(month) + 1).padStart(2, '0')}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `May 11`, `May 2026`, `Q2 2026`, `2026`. */
export function periodLabel(period: string): string {
  const [, year = '', quarter, month, day] = PERIOD.exec(period) ?? [];
  if (quarter) return `Q${quarter} ${year}`;
  if (!month) return year;
  const name = MONTHS[Number(month) - 1] ?? month;
  return day ? `${name} ${Number(day)}` : `${name} ${year}`;
}

/** The condition that the records of a group meet. */
export function conditionOfValue(field: string, { value }: Group): Condition {
  return value === undefined ? { field, op: 'exists', value: false } : { field, op: '=', value };
}

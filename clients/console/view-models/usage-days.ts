// The usage of some days as charts and tables draw it.

import { moneyColumn } from '../../money-column.ts';
import type { Row, UsageRow } from '../../sdk/index.ts';
import { type Column, columnsOf } from './cells.ts';
import type { ChartData, Series } from './chart-data.ts';
import { periodLabel } from './distribution.ts';
import { moneyText } from './figures.ts';

/** How many days a page of usage may show, today included. */
export const ranges = [7, 30, 90] as const;

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The days of a range that ends with the day of `now`, in UTC. */
export function daysUntil(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => dayOf(now - (count - 1 - at) * DAY_MS));
}

/** The outcomes that runs end with, and all others. */
const outcomes = [
  ['succeeded', 'good'],
  ['failed', 'bad'],
  ['canceled', 'quiet'],
] as const;
const OPEN = { name: 'not ended', look: 'busy' } as const;

const points = (days: readonly string[], valuesOf: (day: string) => (number | null)[]) =>
  days.map((day) => ({ label: periodLabel(day), name: day, values: valuesOf(day) }));

const writeCount = (count: number) => count.toLocaleString('en');

/** Runs of each day, stacked by outcome. */
export function runsChart(days: readonly string[], rows: readonly UsageRow[]): ChartData {
  const known = outcomes.map(([name]) => name);
  const of = (day: string, fits: (status: string) => boolean) =>
    rows.reduce((sum, row) => sum + (row.day === day && fits(row.status ?? '') ? row.runs : 0), 0);
  const series: Series[] = [...outcomes.map(([name, look]) => ({ name, look })), OPEN];
  return {
    head: 'Day',
    series,
    write: writeCount,
    points: points(days, (day) => [
      ...known.map((name) => of(day, (status) => status === name)),
      of(day, (status) => !known.some((name) => name === status)),
    ]),
  };
}

/** What the runs of each day cost. */
export function costChart(days: readonly string[], rows: readonly UsageRow[]): ChartData {
  const costs = new Map(rows.map(({ day, cost_usd }) => [day, cost_usd]));
  return {
    head: 'Day',
    series: [{ name: 'Cost', look: 'first' }],
    write: moneyText,
    points: points(days, (day) => [costs.get(day) ?? 0]),
  };
}

/** How long the runs of each day took: half of them at most, and all but one in twenty. */
export function durationsChart(days: readonly string[], rows: readonly UsageRow[]): ChartData {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return {
    head: 'Day',
    series: [
      { name: 'p50', look: 'first' },
      { name: 'p95', look: 'second' },
    ],
    write: secondsText,
    points: points(days, (day) => {
      const row = byDay.get(day);
      return [seconds(row?.p50_ms), seconds(row?.p95_ms)];
    }),
  };
}

const seconds = (ms: number | null | undefined) => (typeof ms === 'number' ? ms / 1000 : null);

/** `0.42 s`, `12.5 s`, `3.4 min`. */
export function secondsText(value: number): string {
  const [amount, unit] = value < 120 ? [value, 's'] : [value / 60, 'min'];
  return `${amount.toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit}`;
}

/** The sums of all rows. */
export const totalOf = (rows: readonly UsageRow[]) =>
  rows.reduce((sum, { runs, cost_usd }) => ({ runs: sum.runs + runs, cost_usd: sum.cost_usd + cost_usd }), {
    runs: 0,
    cost_usd: 0,
  });

export interface UsageTable {
  columns: Column[];
  rows: { at: number; row: Row }[];
}

/** The rows of one grouping as a table: runs, cost, tokens and times, each column in one form. */
export function usageTable(rows: readonly UsageRow[]): UsageTable {
  const shown = rows.map(({ runs, cost_usd, input_tokens, output_tokens, p50_ms, p95_ms }) => ({
    runs,
    cost: cost_usd,
    input_tokens,
    output_tokens,
    half_within: seconds(p50_ms),
    most_within: seconds(p95_ms),
  }));
  const columns = columnsOf(
    ['runs', 'cost', 'input_tokens', 'output_tokens', 'half_within', 'most_within'],
    shown,
  );
  const writeCost = moneyColumn(
    rows.map(({ cost_usd }) => cost_usd),
    '$',
  );
  return {
    columns: columns.map((column) => ({ ...column, ...headOf(column, writeCost) })),
    rows: shown.map((row, at) => ({ at, row })),
  };
}

function headOf({ name, label, write }: Column, writeCost: Column['write']): Pick<Column, 'label' | 'write'> {
  switch (name) {
    case 'cost':
      return { label, write: writeCost };
    case 'half_within':
      return { label: 'p50', write: secondsText };
    case 'most_within':
      return { label: 'p95', write: secondsText };
    default:
      return { label, write };
  }
}

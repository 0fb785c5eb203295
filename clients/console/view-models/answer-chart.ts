// The chart of a table of groups: what it draws, and whether a table is one.
import type { Row } from '../../sdk/index.ts';
import { columnsOf } from './cells.ts';
import { type ChartData, plainLooks, writeRound } from './chart-data.ts';
import { isPeriod, periodLabel, periodsBetween } from './distribution.ts';
import { labelOf } from './figures.ts';

/** The columns of a table of groups: what they are grouped by, and the numbers that are known of each. */
export interface Groups {
  by: readonly string[];
  measures: readonly string[];
}

const NAME = 'name';
const MOST_ROWS = 1000;
export const MOST_BARS = 30;
/** Of stacked columns and of lines; the last one has the rest. */
const MOST_SERIES = 6;

/** The groups that a table is made of; undefined for a table of records, and for what no chart would make clearer. */
export function groupsIn(columns: readonly string[], rows: readonly Row[]): Groups | undefined {
  if (rows.length < 2 || rows.length > MOST_ROWS) return undefined;
  const others = columns.filter((name) => name !== NAME);
  const isNumeric = (name: string) => {
    const values = rows.map((row) => row[name]).filter((one) => one !== null && one !== undefined);
    return values.length > 0 && values.every((one) => typeof one === 'number');
  };
  const texts = others.filter((name) => !isNumeric(name));
  // Groups by a step of a number have no column of texts: what they are grouped by comes first.
  const by = texts.length > 0 ? texts : others.slice(0, 1);
  const measures = others.filter((name) => !by.includes(name));
  if (measures.length === 0 || by.length > 2) return undefined;
  const areGroups = !columns.includes(NAME) || rows.every((row) => row[NAME] === nameOf(row, by));
  return areGroups && (by.length === 1 || by.some((name) => arePeriods(rows, name)))
    ? { by, measures }
    : undefined;
}

/** The name that the service gives a group. */
const nameOf = (row: Row, by: readonly string[]) => by.map((name) => labelIn(row, name)).join(' / ');

const labelIn = (row: Row, name: string) => {
  const value = row[name];
  return value === null || value === undefined ? NONE : String(value);
};
const NONE = '(none)';

/** Values that are absent belong to no period. */
function arePeriods(rows: readonly Row[], name: string): boolean {
  const values = rows.map((row) => row[name]).filter((one) => one !== null && one !== undefined);
  return values.length > 1 && values.every(isPeriod);
}

export type AnswerChart =
  | { form: 'bars'; bars: { label: string; value: number }[]; write: (value: number) => string }
  | { form: 'columns' | 'lines'; data: ChartData };

/** The chart of one measure: along time or the steps of a number where groups have them, else a bar for each. */
export function answerChart(rows: readonly Row[], { by }: Groups, measure: string): AnswerChart | undefined {
  const [column] = columnsOf([measure], rows);
  const write = column?.write ?? String;
  const along = by.find((name) => arePeriods(rows, name));
  if (along !== undefined)
    return alongTime(
      rows,
      along,
      by.find((name) => name !== along),
      measure,
      write,
    );
  const [name] = by;
  if (name === undefined) return undefined;
  const values = rows.flatMap((row) => {
    const value = row[measure];
    return typeof value === 'number' ? [{ label: labelIn(row, name), key: row[name], value }] : [];
  });
  if (values.every(({ key }) => typeof key === 'number')) {
    const points = values
      .toSorted((a, b) => Number(a.key) - Number(b.key))
      .map(({ label, value }) => ({ label, values: [value] }));
    const series = [{ name: labelOf(measure), look: 'first' }] as const;
    return { form: 'columns', data: { head: labelOf(name), series, points, write, writeTick: writeRound } };
  }
  return { form: 'bars', write, bars: values.slice(0, MOST_BARS) };
}

/** Numbers of which a period without records has zero, and which may be added. */
const isAdditive = (measure: string) => /^(count|sum|total|number)(?![a-z])/i.test(measure);

function alongTime(
  rows: readonly Row[],
  along: string,
  split: string | undefined,
  measure: string,
  write: (value: number) => string,
): AnswerChart {
  const names = split === undefined ? [labelOf(measure)] : seriesNames(rows, split, measure);
  const seriesOf = (row: Row) => {
    if (split === undefined) return 0;
    const at = names.indexOf(labelIn(row, split));
    return at < 0 ? names.length - 1 : at;
  };
  const additive = isAdditive(measure);
  const cells = new Map<string, (number | null)[]>();
  for (const row of rows) {
    const [period, value] = [row[along], row[measure]];
    if (!isPeriod(period) || typeof value !== 'number') continue;
    const values = cells.get(period) ?? names.map(() => (additive ? 0 : null));
    const at = seriesOf(row);
    values[at] = additive ? (values[at] ?? 0) + value : value;
    cells.set(period, values);
  }
  const points = periodsBetween([...cells.keys()]).map((period) => ({
    label: periodLabel(period),
    name: period,
    values: cells.get(period) ?? names.map(() => (additive ? 0 : null)),
  }));
  const series = names.map((name, at) => ({ name, look: plainLooks[at] ?? 'quiet' }));
  const form = additive || split === undefined ? 'columns' : 'lines';
  return { form, data: { head: labelOf(along), series, points, write, writeTick: writeRound } };
}

/** The groups with the largest numbers, and where they are too many, one for the others that can be added. */
function seriesNames(rows: readonly Row[], split: string, measure: string): string[] {
  const totals = new Map<string, number>();
  for (const row of rows) {
    const [name, value] = [labelIn(row, split), row[measure]];
    totals.set(name, (totals.get(name) ?? 0) + (typeof value === 'number' ? value : 0));
  }
  const names = [...totals].toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
  return names.length <= MOST_SERIES ? names : [...names.slice(0, MOST_SERIES - 1), OTHERS];
}

const OTHERS = 'others';

// What charts draw: points in order, each with a value of every series, and the scale that they share.

/** How the marks of a series look. Each has a colour and a pattern: colours alone do not tell series apart. */
export type Look = 'good' | 'bad' | 'quiet' | 'busy' | 'first' | 'second' | 'third' | 'fourth' | 'fifth';

export interface Series {
  name: string;
  look: Look;
}

export interface Point {
  label: string;
  /** In full, where the label is short. */
  name?: string;
  /** One of each series; null where there is none. */
  values: readonly (number | null)[];
}

export interface ChartData {
  /** What the points are, as the head of their column: `Day`. */
  head: string;
  series: readonly Series[];
  points: readonly Point[];
  write: (value: number) => string;
  /** On the scale, whose values are round; as the others if absent. */
  writeTick?: (value: number) => string;
}

/** A round number: `0.5`, `1,000`. */
export const writeRound = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 9 });

/** The looks of series that mean nothing by themselves. */
export const plainLooks = ['first', 'second', 'third', 'fourth', 'fifth', 'quiet'] as const;

export interface Scale {
  from: number;
  to: number;
  /** Round values from `from` to `to`. */
  ticks: readonly number[];
}

const MOST_TICKS = 4;

/** Smaller steps cannot be computed with. */
const LEAST_STEP = 1e-300;

/** The smallest of 1, 2 and 5 times a power of ten that is at least the value. */
export function roundStep(atLeast: number): number {
  if (!(atLeast > LEAST_STEP)) return 1;
  const power = 10 ** Math.floor(Math.log10(atLeast));
  return ([1, 2, 5].find((one) => one * power >= atLeast * (1 - 1e-9)) ?? 10) * power;
}

/** A scale from zero, or from below it, that has all values; whole numbers have whole ticks. */
export function scaleOf(values: readonly number[]): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const needed = roundStep((high - low || 1) / MOST_TICKS);
  const step = values.every(Number.isInteger) ? Math.max(1, needed) : needed;
  const [first, last] = [Math.floor(low / step), Math.max(Math.ceil(high / step), 1)];
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => exact((first + at) * step));
  return { from: exact(first * step), to: exact(last * step), ticks };
}

/** Without the noise of binary fractions: 0.3, not 0.30000000000000004. */
export const exact = (value: number): number => Number(value.toPrecision(12));

/** The heights of stacked values: what is above zero goes up, what is below goes down. */
export const stackedValues = ({ points }: Pick<ChartData, 'points'>): number[] =>
  points.flatMap(({ values }) => {
    const sum = (sign: number) =>
      values.reduce<number>((total, one) => total + (sign * (one ?? 0) > 0 ? (one ?? 0) : 0), 0);
    return [sum(1), sum(-1)];
  });

/** Every how many points a label has room, at so many pixels a point. */
export function labelEvery(labels: readonly string[], pixelsEach: number): number {
  const longest = labels.reduce((most, { length }) => Math.max(most, length), 1);
  return Math.max(1, Math.ceil((longest * CHARACTER_PIXELS + LABEL_GAP) / Math.max(pixelsEach, 0.1)));
}

/** Of the labels of charts, about. */
export const CHARACTER_PIXELS = 7;
const LABEL_GAP = 12;

/** What a chart says in one sentence, for those who do not see it. */
export function summaryOf(title: string, { points, series, write }: ChartData): string {
  const totals = points.map(({ values }) => values.reduce<number>((sum, one) => sum + (one ?? 0), 0));
  const most = totals.indexOf(Math.max(...totals));
  const top = points[most];
  if (top === undefined) return `${title}: nothing to show.`;
  const largest =
    series.length === 1 ? `largest at ${top.name ?? top.label}: ${write(totals[most] ?? 0)}` : '';
  const names = series.length > 1 ? `series ${series.map(({ name }) => name).join(', ')}` : '';
  return `${title}: ${points.length} values, ${largest}${names}. A table has all of them.`;
}

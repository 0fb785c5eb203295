// Days, months, years and spans in a query, and conditions on fields that hold times.
import { parse } from 'chrono-node/en';
import type { Where } from '#contract/conditions.ts';
import { cached } from '../cached.ts';
import type { NamedField } from './names.ts';
import { nounOf, type Token } from './tokens.ts';

/** A time from its first moment up to, not including, `to` (epoch ms). */
export interface Span {
  from: number;
  to: number;
  length: number;
  /** A year alone: as a number it may mean something else. */
  isYear: boolean;
}

const MONTH =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sep(t(ember)?)?|oct(ober)?|nov(ember)?|dec(ember)?)$/;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DECADES = new Map(
  Object.entries({
    twenties: 20,
    thirties: 30,
    forties: 40,
    fifties: 50,
    sixties: 60,
    seventies: 70,
    eighties: 80,
    nineties: 90,
  }),
);
const QUARTERS = new Map(
  Object.entries({
    q1: 0,
    q2: 1,
    q3: 2,
    q4: 3,
    first: 0,
    second: 1,
    third: 2,
    fourth: 3,
  }),
);
const RELATIVE = new Set(['last', 'past', 'previous', 'this', 'current', 'next']);
const UNITS = new Set(['day', 'week', 'month', 'quarter', 'year', 'decade']);
const NEAR_DAYS = new Map(Object.entries({ yesterday: -1, today: 0, tomorrow: 1 }));
const WINDOW_TOKENS = 6;
/** What joins the ends of a range, which are read one by one. */
const JOINTS = /^(?:to|and|or|,|until|till|through|\s?[-–]\s?)$/;

/** The start of a day; month and day may overflow. `Date.UTC` would read the year 50 as 1950. */
const utc = (y: number, m: number, d: number) => new Date(0).setUTCFullYear(y, m, d);
const year = (value: number) => utc(value, 0, 1);
const day = (at: number, days: number) => at + days * 86_400_000;
const [EARLIEST, LATEST] = [year(0), year(9999)];

/** The time at `i`, relative to `today` (epoch ms; NaN where no day is known); undefined when the tokens are none. */
export function spanAt(tokens: readonly Token[], i: number, today: number): Span | undefined {
  const span =
    yearsAt(tokens, i) ??
    quarterAt(tokens, i, today) ??
    (Number.isNaN(today) ? undefined : relativeAt(tokens, i, today)) ??
    calendarDateAt(tokens, i, today);
  return Number.isNaN(span?.from) ? undefined : span;
}

/** "2021", "1990s", "the nineties". */
function yearsAt(tokens: readonly Token[], i: number): Span | undefined {
  const [token, next] = [tokens[i], tokens[i + 1]];
  if (!token) return undefined;
  const decade = DECADES.get(token.word);
  if (decade !== undefined)
    return { from: year(1900 + decade), to: year(1910 + decade), length: 1, isYear: false };
  const glued = next?.word === 's' && next.start <= token.end + 1;
  if (token.kind !== 'number' || !/^\d{2}(\d{2})?$/.test(token.word)) return undefined;
  const value = Number(token.word);
  if (glued && value % 10 === 0) {
    const first = value < 100 ? 1900 + value : value;
    // "the 1800s" are a century, "the 2000s" ten years.
    const years = first % 100 === 0 && first < 2000 ? 100 : 10;
    return { from: year(first), to: year(first + years), length: 2, isYear: false };
  }
  if (value < 1000 || value > 2200 || (next?.kind === 'word' && next.start === token.end)) return undefined;
  return { from: year(value), to: year(value + 1), length: 1, isYear: true };
}

/** "Q1 2025", "the first quarter of 2025", "Q3". */
function quarterAt(tokens: readonly Token[], i: number, today: number): Span | undefined {
  const quarter = QUARTERS.get(tokens[i]?.word ?? '');
  if (quarter === undefined) return undefined;
  const spelled = tokens[i + 1]?.word === 'quarter';
  if (!spelled && !tokens[i]?.word.startsWith('q')) return undefined;
  let at = i + (spelled ? 2 : 1);
  if (tokens[at]?.word === 'of' || tokens[at]?.word === 'in') at += 1;
  const named = /^(19|20)\d\d$/.test(tokens[at]?.word ?? '');
  const of = named ? Number(tokens[at]?.word) : new Date(today).getUTCFullYear();
  const length = named ? at + 1 - i : spelled ? 2 : 1;
  return { from: utc(of, quarter * 3, 1), to: utc(of, quarter * 3 + 3, 1), length, isYear: false };
}

/** "last month", "this year", "the past 30 days", "3 weeks ago", "yesterday". */
function relativeAt(tokens: readonly Token[], i: number, today: number): Span | undefined {
  const now = new Date(today);
  const start = utc(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const word = tokens[i]?.word ?? '';
  const days = NEAR_DAYS.get(word);
  if (days !== undefined)
    return { from: day(start, days), to: day(start, days + 1), length: 1, isYear: false };
  if (!RELATIVE.has(word)) return undefined;
  const number = /^\d{1,4}$/.test(tokens[i + 1]?.word ?? '') ? Number(tokens[i + 1]?.word) : undefined;
  const unit = nounOf(tokens[i + (number === undefined ? 1 : 2)]?.word ?? '');
  if (!UNITS.has(unit)) return undefined;
  const length = number === undefined ? 2 : 3;
  if (number !== undefined) {
    if (word === 'next') return { from: start, to: shifted(start, unit, number), length, isYear: false };
    return { from: shifted(start, unit, -number), to: day(start, 1), length, isYear: false };
  }
  const step = word === 'next' ? 1 : word === 'this' || word === 'current' ? 0 : -1;
  const from = shifted(beginningOf(start, unit), unit, step);
  return { from, to: shifted(from, unit, 1), length, isYear: false };
}

/** The time that many units later, limited to the years 0 to 9999 of ISO text. */
export function shifted(at: number, unit: string, by: number): number {
  const to = unbounded(at, unit, by);
  if (Number.isNaN(to)) return by < 0 ? EARLIEST : LATEST;
  return Math.min(Math.max(to, EARLIEST), LATEST);
}

function unbounded(at: number, unit: string, by: number): number {
  const date = new Date(at);
  const [y, m, d] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (unit === 'day') return day(at, by);
  if (unit === 'week') return day(at, 7 * by);
  if (unit === 'month') return utc(y, m + by, d);
  if (unit === 'quarter') return utc(y, m + 3 * by, d);
  return utc(y + (unit === 'decade' ? 10 : 1) * by, m, d);
}

function beginningOf(at: number, unit: string): number {
  const date = new Date(at);
  const [y, m] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === 'day') return at;
  if (unit === 'week') return day(at, -((date.getUTCDay() + 6) % 7));
  if (unit === 'month') return utc(y, m, 1);
  if (unit === 'quarter') return utc(y, m - (m % 3), 1);
  return utc(unit === 'decade' ? y - (y % 10) : y, 0, 1);
}

/** What a text says of a day, relative to the moment before it; the same words come again in a long text. */
const parsed = cached(200, (text) => {
  const [today = ''] = text.split(' ', 1);
  return parse(text.slice(today.length + 1), { instant: new Date(Number(today) || 0), timezone: 0 });
});

/** "2024-05-01", "March 2021", "5 March 2021", "May 3rd", "3/5/2021". */
function calendarDateAt(tokens: readonly Token[], i: number, today: number): Span | undefined {
  const reach = tokens.slice(i, i + WINDOW_TOKENS);
  const joint = reach.findIndex(({ word }) => JOINTS.test(word));
  const window = joint < 0 ? reach : reach.slice(0, joint);
  const [first] = window;
  if (!first) return undefined;
  const near = window.slice(0, 4);
  if (!near.some(({ kind, word }) => kind === 'date' || MONTH.test(word))) return undefined;
  if (first.kind === 'word' && !MONTH.test(first.word)) return undefined;
  const month = /^(\d{4})-(\d{2})$/.exec(first.word);
  if (month) return monthOf(Number(month[1]), Number(month[2]) - 1, 1);
  const dotted = DOTTED.exec(first.word);
  if (dotted) return dayOf(dotted);
  const text = window.map(({ word }) => word).join(' ');
  const [found] = parsed(`${today} ${text}`);
  if (found?.index !== 0) return monthAlone(tokens, i, today);
  const length =
    window.findIndex(
      (_, k) =>
        window
          .slice(0, k + 1)
          .map(({ word }) => word)
          .join(' ').length >= found.text.length,
    ) + 1;
  const { start } = found;
  const [y, m, d] = [
    start.isCertain('year') ? (start.get('year') ?? 0) : yearOfMonth(tokens, i + length, start, today),
    (start.get('month') ?? 1) - 1,
    start.get('day') ?? 1,
  ];
  if (!start.isCertain('day')) return monthOf(y, m, length);
  const from = utc(y, m, d);
  return { from, to: day(from, 1), length, isYear: false };
}

/** "May", "jan": short names of months are words too, and no dates alone. */
function monthAlone(tokens: readonly Token[], i: number, today: number): Span | undefined {
  const word = tokens[i]?.word ?? '';
  const month = MONTHS.indexOf(word.slice(0, 3));
  if (!MONTH.test(word) || month < 0) return undefined;
  return monthOf(yearOfMonth(tokens, i + 1, { get: () => month + 1 }, today), month, 1);
}

/** A month without its year has the year that follows in a list, "June and July 2026", else it is the last one. */
function yearOfMonth(
  tokens: readonly Token[],
  at: number,
  start: { get(part: 'month' | 'day'): number | null },
  today: number,
): number {
  for (
    let next = at;
    LISTED.test(tokens[next]?.word ?? '') && MONTH.test(tokens[next + 1]?.word ?? '');
    next += 2
  ) {
    const said = tokens[next + 2];
    if (said?.kind === 'number' && /^(19|20)\d\d$/.test(said.word)) return Number(said.word);
  }
  const now = new Date(today);
  const isLater = utc(now.getUTCFullYear(), (start.get('month') ?? 1) - 1, 1) > today;
  return now.getUTCFullYear() - (isLater ? 1 : 0);
}

const LISTED = /^(?:and|or|,|&)$/;

const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

/** "02.06.2026": with points the day comes first. */
function dayOf([, d, m, y]: RegExpExecArray): Span | undefined {
  const from = utc(Number(y), Number(m) - 1, Number(d));
  const isDay = new Date(from).getUTCDate() === Number(d) && Number(m) <= 12;
  return isDay ? { from, to: day(from, 1), length: 1, isYear: false } : undefined;
}

const monthOf = (y: number, m: number, length: number): Span => ({
  from: utc(y, m, 1),
  to: utc(y, m + 1, 1),
  length,
  isYear: false,
});

export type Side = 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq';

/** The condition that a field's time is on this side of a span; undefined where the field is too coarse for it. */
export function timeCondition(
  { name, dated }: NamedField,
  side: Side,
  { from, to }: Pick<Span, 'from' | 'to'>,
): Where | undefined {
  const [low, high] =
    dated === 'year' ? [yearOf(from), yearOf(to)] : dated === 'iso' ? [isoOf(from), isoOf(to)] : [from, to];
  if (low === undefined || high === undefined) return undefined;
  const inside: Where = {
    and: [
      { field: name, op: '>=', value: low },
      { field: name, op: '<', value: high },
    ],
  };
  switch (side) {
    case 'gt':
      return { field: name, op: '>=', value: high };
    case 'gte':
      return { field: name, op: '>=', value: low };
    case 'lt':
      return { field: name, op: '<', value: low };
    case 'lte':
      return { field: name, op: '<', value: high };
    case 'eq':
      return dated === 'year' && Number(high) - Number(low) === 1
        ? { field: name, op: '=', value: low }
        : inside;
    case 'neq':
      return { not: inside };
  }
}

/** The year that begins at this moment. */
function yearOf(at: number): number | undefined {
  const value = new Date(at).getUTCFullYear();
  return at === year(value) ? value : undefined;
}

/** The day as the shortest ISO prefix: every time from it on sorts after it as text. */
const isoOf = (at: number) =>
  new Date(at)
    .toISOString()
    .slice(0, 10)
    .replace(/(-01){1,2}$/, '');

/** The year or day that a moment is in. */
export function datedSpan(at: number, unit: 'year' | 'day'): Pick<Span, 'from' | 'to'> {
  const from = beginningOf(at, unit);
  return { from, to: shifted(from, unit, 1) };
}

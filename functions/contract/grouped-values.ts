// The group of a value: the beginning of the period or of the step that it falls into (rules.md: records 17).
import type { GroupedBy, Period } from './conditions.ts';

const DAY_MS = 86_400_000;
/** Years of four digits; the first of them begins with a Monday. */
const [FIRST_MS, END_MS] = [Date.parse('0001-01-01'), Date.parse('9999-12-31') + DAY_MS];
/** Whole numbers up to this one are years or amounts, no times. */
const NO_TIME_MAX = 9999;

/** A day, or a time as of RFC 3339. */
const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d)))?$/;

/** The second that a text is as a date, in epoch milliseconds; undefined for any other text. */
export function dateIn(text: string): number | undefined {
  const [, year, month, day, hour = 0, minute = 0, second = 0, sign, hours = 0, minutes = 0] =
    DATE.exec(text) ?? [];
  if (year === undefined) return undefined;
  const begins = new Date(0);
  begins.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (begins.getUTCMonth() !== Number(month) - 1 || begins.getUTCDate() !== Number(day)) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  // A leap second belongs to the minute that it ends.
  const seconds = Math.min(Number(second), 59);
  const at = begins.getTime() + ((Number(hour) * 60 + Number(minute) - offset) * 60 + seconds) * 1000;
  return at >= FIRST_MS && at < END_MS ? at : undefined;
}

/** The time of a value in epoch milliseconds; undefined where it is none. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return dateIn(value);
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) <= NO_TIME_MAX)
    return undefined;
  return value >= FIRST_MS && value < END_MS ? value : undefined;
}

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Days since the Monday before the epoch, which was a Thursday. */
const weekday = (day: number) => (((day + 3) % 7) + 7) % 7;

const beginnings: Readonly<Record<Period, (ms: number) => string>> = {
  day: isoDay,
  week(ms) {
    const day = Math.floor(ms / DAY_MS);
    return isoDay((day - weekday(day)) * DAY_MS);
  },
  month: (ms) => isoDay(ms).slice(0, 'YYYY-MM'.length),
  quarter(ms) {
    const [year, month] = isoDay(ms).split('-');
    return `${year}-Q${Math.ceil(Number(month) / 3)}`;
  },
  year: (ms) => isoDay(ms).slice(0, 'YYYY'.length),
};

/** More digits of a product would be those of its rounding. */
const EXACT_DIGITS = 15;

/** The beginning of the step of a number: the last multiple of the width that is not above it. */
function stepOf(value: number, width: number): number {
  const multiple = (count: number) => Number((count * width).toPrecision(EXACT_DIGITS));
  const count = Math.floor(value / width);
  // The quotient is rounded: 0.3 / 0.1 is below 3.
  const begins = multiple(count + 1) <= value ? multiple(count + 1) : multiple(count);
  const step = begins > value ? multiple(count - 1) : begins;
  // Zero has no sign. A step that is out of range is the value itself.
  return Number.isFinite(step) ? step + 0 : value;
}

/** The group of a value; null where it is no date, or no number for a width. */
export function groupOf(value: unknown, by: GroupedBy): string | number | null {
  if (typeof by === 'object') return typeof value === 'number' ? stepOf(value, by.width) : null;
  const time = timeOf(value);
  return time === undefined ? null : beginnings[by](time);
}

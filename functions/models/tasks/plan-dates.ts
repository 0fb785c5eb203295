// Dates in planned conditions on when a record was made or changed: a model writes ISO dates, records have epoch ms.
import type { Condition, Where } from '#contract/conditions.ts';

const dated: ReadonlySet<string> = new Set(['created_at', 'updated_at']);

/** Whether a field holds a time of the record itself. */
export const isTime = (field: string): boolean => dated.has(field);

/** Epoch ms, the end not included. */
interface Span {
  start: number;
  end: number;
}

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
/** Numbers below are seconds: as milliseconds they would be before 1973. */
const SECONDS_BELOW = 100_000_000_000;
const isYear = (number: number) => Number.isInteger(number) && number >= 1900 && number <= 2200;

/** The time that a value means: a day, month or year in UTC, or a moment. */
function spanOf(value: unknown): Span | undefined {
  if (typeof value === 'number') {
    if (isYear(value)) return spanOf(String(value));
    return momentAt(Math.abs(value) < SECONDS_BELOW ? value * 1000 : value);
  }
  if (typeof value !== 'string') return undefined;
  const said = value.trim();
  const [, year, month, day] = DATE.exec(said) ?? [];
  if (year === undefined) {
    if (/^\d{9,13}(\.\d+)?$/.test(said)) return spanOf(Number(said));
    return /^\d{4}-\d{2}-\d{2}[T ]/.test(said) ? momentAt(Date.parse(said)) : undefined;
  }
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)];
  const start = Date.UTC(y, m, d);
  // A day that does not exist is another one: 30 February.
  if (m > 11 || (day !== undefined && new Date(start).getUTCDate() !== d)) return undefined;
  const end =
    day !== undefined ? Date.UTC(y, m, d + 1) : month !== undefined ? Date.UTC(y, m + 1) : Date.UTC(y + 1, 0);
  return { start, end };
}

const momentAt = (ms: number): Span | undefined =>
  Number.isFinite(ms) ? { start: Math.round(ms), end: Math.round(ms) + 1 } : undefined;

/** The condition with epoch ms in place of dates; undefined if a value is no date. */
export function withTimes({ field, op, value }: Condition): Where | undefined {
  if (op === 'exists') return { field, op, value };
  const at = (op: '<' | '>=', value: number): Where => ({ field, op, value });
  const within = ({ start, end }: Span): Where => ({ and: [at('>=', start), at('<', end)] });
  const spans = [value].flat().map(spanOf);
  const known = spans.filter((span) => span !== undefined);
  const [first, ...others] = known;
  if (!first || known.length < spans.length) return undefined;
  switch (op) {
    case '<':
      return at('<', first.start);
    case '>=':
      return at('>=', first.start);
    case '<=':
      return at('<', first.end);
    case '>':
      return at('>=', first.end);
    case '!=':
      return { not: within(first) };
    default:
      return others.length === 0 ? within(first) : { or: known.map(within) };
  }
}

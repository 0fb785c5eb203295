// Times in a query, as conditions on the field that records are dated by.
import { type Side, type Span, spanAt, timeCondition } from './dates.ts';
import { HAPPENED } from './lexicon.ts';
import { datedField, isAmount, isDated, type NamedField, only } from './names.ts';
import { quantityAt } from './quantities.ts';
import { addTest, past, type Reading, use, useMention, wordAt } from './reading.ts';

/** The field of a time: the one named just before, else the one that the type is dated by. */
function timeField(reading: Reading): NamedField | undefined {
  return only(reading.mention?.fields.filter(isDated) ?? []) ?? datedField(reading.fields, reading.types);
}

/** Adds a condition on a time; false when no field is meant, or none that can tell. */
export function addTime(
  reading: Reading,
  side: Side,
  span: Pick<Span, 'from' | 'to'>,
  upto?: Pick<Span, 'from' | 'to'>,
): boolean {
  const field = timeField(reading);
  const where =
    field &&
    (upto ? timeCondition(field, 'eq', { from: span.from, to: upto.to }) : timeCondition(field, side, span));
  if (!where) return false;
  if (reading.mention?.fields.some(isDated)) useMention(reading);
  addTest(reading, where, { paths: [] });
  return true;
}

/** Words that may stand before a time. */
export const BEFORE_TIMES = new Set([
  'in',
  'on',
  'during',
  'within',
  'of',
  'for',
  'at',
  'throughout',
  'over',
  'the',
  'year',
  'dated',
]);

/** Reads a time at `i` that needs no comparison: "in 2025", "last month", "on 5 March 2021". */
export function readTime(reading: Reading, i: number): number {
  const from = past(reading, i, BEFORE_TIMES);
  const span = spanAt(reading.tokens, from, reading.today);
  if (!span || wordAt(reading, from + span.length) === 'ago') return 0;
  const month = wordAt(reading, from);
  if (span.length === 1 && (month === 'may' || month === 'march') && from === i) return 0;
  if (span.isYear && reading.mention?.fields.some(isAmount) && from === i) return 0;
  if (span.isYear && from === i && quantityAt(reading.tokens, from)?.unit) return 0;
  if (!addTime(reading, 'eq', span)) return 0;
  claimHappened(reading, i - 1);
  return use(reading, i, from + span.length - i, 'date');
}

/** "placed" in "placed in 2025" says no more than the date. */
function claimHappened(reading: Reading, i: number): void {
  if (HAPPENED.has(wordAt(reading, i))) use(reading, i, 1, 'filler');
}

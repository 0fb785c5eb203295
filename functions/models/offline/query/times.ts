// Times in a query, as conditions on the field that records are dated by.
import { type Side, type Span, spanAt, timeCondition } from './dates.ts';
import { AFTER_AMOUNT, HAPPENED } from './lexicon.ts';
import { datedField, isAmount, isDated, type NamedField, only } from './names.ts';
import { quantityAt } from './quantities.ts';
import { addTest, past, phraseAt, type Reading, use, useMention, wordAt } from './reading.ts';

/** The field of a time: the one named just before, else the one that the type is dated by. */
function timeField(reading: Reading, { from, to }: Pick<Span, 'from' | 'to'>): NamedField | undefined {
  const named = reading.mention?.fields.filter(isDated) ?? [];
  const last = reading.joint === '' ? undefined : reading.tests.at(-1)?.period;
  const continued = named.length === 0 ? reading.fields.find(({ name }) => name === last) : undefined;
  if (continued) return continued;
  const meant = only(named) ?? datedField(reading.fields, reading.types);
  const areYears = [from, to].every((at) => new Date(at).toISOString().slice(4, 10) === '-01-01');
  return meant ?? (areYears ? only(reading.fields.filter(({ dated }) => dated === 'year')) : undefined);
}

/** Adds a condition on a time; false when no field is meant, or none that can tell. */
export function addTime(
  reading: Reading,
  side: Side,
  span: Pick<Span, 'from' | 'to'>,
  upto?: Pick<Span, 'from' | 'to'>,
): boolean {
  const field = timeField(reading, span);
  const where =
    field &&
    (upto ? timeCondition(field, 'eq', { from: span.from, to: upto.to }) : timeCondition(field, side, span));
  if (!where) return false;
  if (reading.mention?.fields.some(isDated)) useMention(reading);
  // "in 2010 and 2011": no record is of both.
  const isPeriod = side === 'eq' && !reading.negation;
  const last = reading.tests.at(-1);
  if (isPeriod && last?.period === field.name && reading.joint === 'and') reading.joint = 'or';
  addTest(reading, where, { paths: [], ...(isPeriod && { period: field.name }) });
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
  const after = phraseAt(reading, from + span.length, AFTER_AMOUNT);
  const length = from + span.length + (after?.length ?? 0) - i;
  if (!addTime(reading, after?.meaning ?? 'eq', span)) return 0;
  claimHappened(reading, i - 1);
  return use(reading, i, length, 'date');
}

/** "placed" in "placed in 2025" says no more than the date. */
function claimHappened(reading: Reading, i: number): void {
  if (HAPPENED.has(wordAt(reading, i))) use(reading, i, 1, 'filler');
}

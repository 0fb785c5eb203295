// Comparisons and ranges of amounts and times in a query, as conditions on fields.
import type { Where } from '#contract/conditions.ts';
import { datedSpan, type Side, type Span, shifted, spanAt, timeCondition } from './dates.ts';
import {
  AFTER_AMOUNT,
  BASES,
  BEFORE_AMOUNT,
  COMPARATIVES,
  NEGATIONS,
  OF_TIME,
  UNIT_DIMENSIONS,
  unitNamed,
} from './lexicon.ts';
import {
  datedField,
  dimensionField,
  fieldAt,
  hasTexts,
  isAmount,
  isBirth,
  isDated,
  isMoney,
  isText,
  moneyField,
  type NamedField,
  only,
} from './names.ts';
import { agrees, inUnitOf, type Quantity, quantityAt } from './quantities.ts';
import {
  ARTICLES,
  addTest,
  closeMention,
  isFiller,
  past,
  phraseAt,
  type Reading,
  use,
  useMention,
  wordAt,
} from './reading.ts';
import { addTime, BEFORE_TIMES } from './times.ts';
import { isSingular } from './tokens.ts';
import { leadsToType, valueAt } from './values.ts';

const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=', eq: '=', neq: '!=' } as const;

const FLIPPED = { gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte', eq: 'eq', neq: 'neq' } as const;

interface Comparison {
  side: Side;
  /** What is compared: "older than" is about ages. */
  dimension: string | null;
  length: number;
  /** Its words speak of time. */
  ofTime: boolean;
}

/** Reads a comparison at `i`: "over 20", "cheaper than 5 EUR", "before March 2021", "5 or more"; 0 for none. */
export function readComparison(reading: Reading, i: number): number {
  const range = readRange(reading, i);
  if (range > 0) return range;
  const due = readBy(reading, i);
  if (due > 0) return due;
  const comparison = comparisonAt(reading, i);
  if (comparison) return readCompared(reading, i, comparison);
  const quantity = quantityAt(reading.tokens, i);
  const span =
    quantity?.unit || reading.mention?.fields.some(isAmount)
      ? undefined
      : spanAt(reading.tokens, i, reading.today);
  const amount = span ?? quantity;
  if (!amount) return 0;
  const after = phraseAt(reading, i + amount.length, AFTER_AMOUNT);
  if (!after) return 0;
  const length = amount.length + after.length;
  const side = after.meaning;
  const isOfTime = OF_TIME.has(wordAt(reading, i + length - 1)) || reading.mention?.fields.some(isDated);
  if (span && isOfTime && addTime(reading, side, span)) return use(reading, i, length, 'date');
  if (!quantity) return 0;
  return addAmount(reading, {
    i,
    from: i,
    quantity,
    side,
    dimension: null,
    end: i + quantity.length + after.length,
  });
}

/** "by 2026-05-31", "by 2000": at the latest then. */
function readBy(reading: Reading, i: number): number {
  if (wordAt(reading, i) !== 'by') return 0;
  const from = past(reading, i + 1, ARTICLES);
  const span = spanAt(reading.tokens, from, reading.today);
  if (!span || !addTime(reading, 'lte', span)) return 0;
  return use(reading, i, from + span.length - i, 'date');
}

export function comparisonAt(reading: Reading, i: number): Comparison | undefined {
  const [first, second, third] = [wordAt(reading, i), wordAt(reading, i + 1), wordAt(reading, i + 2)];
  if (reading.tokens[i]?.use !== null) return undefined;
  const adjective = /^(more|less)$/.test(first) && third === 'than' ? BASES.get(second) : undefined;
  const degree = adjective ?? (second === 'than' ? COMPARATIVES.get(first) : undefined);
  if (degree) {
    const sign = first === 'less' && adjective ? -degree.sign : degree.sign;
    const ofTime = degree.dimension === 'age';
    const side: Side = sign > 0 ? 'gt' : 'lt';
    const isGeneral =
      degree.dimension === 'amount' || degree.dimension === 'size' || degree.dimension === 'rating';
    return { side, dimension: isGeneral ? null : degree.dimension, length: adjective ? 3 : 2, ofTime };
  }
  const found = phraseAt(reading, i, BEFORE_AMOUNT);
  if (!found) return undefined;
  const spanFrom = past(reading, i + 1, ARTICLES);
  const span = first === 'from' ? spanAt(reading.tokens, spanFrom, reading.today) : undefined;
  const isFromPeriod =
    span && !/^(on|onward|onwards|to|until|till|through|-|–)$/.test(wordAt(reading, spanFrom + span.length));
  // "free from 1 September": the field itself says from.
  const isOfField = reading.mention?.fields.some(({ words }) => words.includes('from')) === true;
  return {
    // "from 2025" is in 2025; "from 2025 on" has no end.
    side: isFromPeriod && !isOfField ? 'eq' : found.meaning,
    dimension: null,
    length: found.length,
    ofTime: OF_TIME.has(wordAt(reading, i + found.length - 1)) || OF_TIME.has(first) || span !== undefined,
  };
}

function readCompared(reading: Reading, i: number, { side, dimension, length, ofTime }: Comparison): number {
  const from = past(reading, i + length, ARTICLES);
  const quantity = quantityAt(reading.tokens, from);
  const open = reading.mention?.fields ?? [];
  const preferTime = open.some(isDated) || (ofTime && !open.some(isAmount)) || !quantity;
  const span = spanAt(reading.tokens, from, reading.today);
  if (span && preferTime && !(quantity?.unit && span.isYear)) {
    // Older than a day is before it.
    const sided = dimension === 'age' ? FLIPPED[side] : side;
    if (addTime(reading, sided, span)) return use(reading, i, from + span.length - i, 'date');
    // A year is no amount of another field.
    if (ofTime && span.isYear && open.length === 0) return 0;
  }
  if (!quantity) return readNamedAmount(reading, i, from, side);
  return addAmount(reading, { i, from, quantity, side, dimension, end: from + quantity.length });
}

/** "under the age of 18": the field stands between the comparison and its amount. */
function readNamedAmount(reading: Reading, i: number, from: number, side: Side): number {
  const named = fieldAt(reading.tokens, from, reading.fields, isAmount);
  if (!named || named.fields.length > 1) return 0;
  const at = past(reading, from + named.length, ARTICLES);
  const quantity = quantityAt(reading.tokens, at);
  if (!quantity) return 0;
  closeMention(reading);
  reading.mention = { ...named, at: from, owned: false };
  return addAmount(reading, { i, from: at, quantity, side, dimension: null, end: at + quantity.length });
}

interface Amounts {
  /** Where the comparison begins, where its amount does, and where both end. */
  i: number;
  from: number;
  end: number;
  quantity: Quantity;
  side: Side;
  dimension: string | null;
  /** The upper end of a range. */
  upto?: Quantity;
}

/** Adds the comparison of an amount with the field that is meant; 0 when none is. */
function addAmount(reading: Reading, amounts: Amounts): number {
  const { i, quantity, side, upto } = amounts;
  const old = wordAt(reading, amounts.end) === 'old' ? 1 : 0;
  const isAged = wordAt(reading, i - 1) === 'aged' && reading.mention === null;
  if (isAged) use(reading, i - 1, 1, 'operator');
  const dimension = old > 0 || isAged ? 'age' : amounts.dimension;
  const end = amounts.end + old;
  if (dimension === 'age' && !reading.mention?.fields.some(isAmount))
    return addAge(reading, { ...amounts, end });
  const meant = meantField(reading, { ...amounts, dimension, end });
  if (!meant) {
    const at = reading.typesAt.get(end);
    // "at most 5 companies" limits how many are requested.
    if (side !== 'lte' || at === undefined || quantity.unit) return 0;
    reading.limit ??= quantity.value;
    return use(reading, i, end - i, 'limit');
  }
  const { field, length } = meant;
  const value = inUnitOf(field, quantity);
  const high = upto && inUnitOf(field, upto);
  if (value === undefined || (upto && high === undefined)) return 0;
  if (reading.mention?.fields.includes(field)) useMention(reading);
  else if (length === 0) closeMention(reading);
  const where =
    high === undefined
      ? amountCondition(field, side, value)
      : amountCondition(field, side, Math.min(value, high), Math.max(value, high));
  const unit = (upto ?? quantity).unit;
  use(
    reading,
    i,
    amounts.end - i - (agrees(field, unit) || isUnitOfName(field, unit?.word) ? 0 : 1),
    'number',
  );
  use(reading, amounts.end, end - amounts.end, 'operator');
  use(reading, end, length, 'field');
  addTest(reading, ofTogether(reading, where, field), { paths: [] });
  reading.mention = null;
  reading.compared = { field, end: end + length };
  return end + length - i;
}

/** The same condition of the fields that were named before with "and" or "or". */
function ofTogether(reading: Reading, where: Where, field: NamedField): Where {
  const { together } = reading;
  reading.together = null;
  if (!together) return where;
  const all = [...together.fields, field].map((one) => renamed(where, field.name, one.name));
  return together.joint === 'or' ? { or: all } : { and: all };
}

function renamed(where: Where, from: string, to: string): Where {
  if ('and' in where) return { and: where.and.map((one) => renamed(one, from, to)) };
  return 'field' in where && where.field === from ? { ...where, field: to } : where;
}

/** A number compared with a field, or with `high` a range from the one to the other. */
function amountCondition({ name: field }: NamedField, side: Side, value: number, high?: number): Where {
  if (high === undefined) return { field, op: SIGNS[side], value };
  return {
    and: [
      { field, op: '>=', value },
      { field, op: '<=', value: high },
    ],
  };
}

const isUnitOfName = (field: NamedField, unit: string | undefined) =>
  unit !== undefined && field.words.includes(unit);

function meantField(
  reading: Reading,
  { i, quantity, upto, dimension, end }: Amounts,
): { field: NamedField; length: number } | undefined {
  const { mention, fields, tokens } = reading;
  const unit = (upto ?? quantity).unit;
  const open = mention?.fields.filter(isAmount) ?? [];
  const first = only(open);
  if (first) return { field: first, length: 0 };
  // "with two pieces": the unit is the name of the field.
  const counted =
    unit?.measures === 'pieces' && !mention
      ? only(fields.filter((one) => isAmount(one) && one.core.join() === unit.word))
      : undefined;
  if (counted) return { field: counted, length: 0 };
  const twin = mention ? undefined : twinField(reading, i, end);
  if (twin) return { field: twin, length: 0 };
  const paid = unit?.measures === 'money' ? only(open.filter(({ words }) => isMoney(words))) : undefined;
  if (paid) return { field: paid, length: 0 };
  const skip = past(reading, end, new Set(['of', 'in', 'a', 'an']));
  const next = reading.typesAt.has(end) ? undefined : fieldAt(tokens, end, fields, isAmount);
  const isBehind = !next && !reading.typesAt.has(end) && skip > end && wordAt(reading, end) !== 'in';
  const after = isBehind ? fieldAt(tokens, skip, fields, isAmount) : next;
  const named = only(after?.fields ?? []);
  if (after && named) return { field: named, length: (isBehind ? skip - end : 0) + after.length };
  if (mention && open.length > 1) return undefined;
  const typed = typeField(reading, end);
  if (typed) return typed;
  const field =
    (unit?.measures === 'money' ? moneyField(fields) : undefined) ??
    unitField(fields, unit) ??
    (dimension !== null ? dimensionField(dimension, fields) : undefined) ??
    (unit === undefined && dimension === null && !mention && !isAmongUnread(reading, i, end)
      ? plausible(moneyField(fields) ?? only(fields.filter(isAmount)), quantity)
      : undefined);
  return field && (dimension === null || unit === undefined || inUnitOf(field, quantity) !== undefined)
    ? { field, length: 0 }
    : undefined;
}

/** "over 30 but under 60 km", "more than 100 but fewer than 500 employees": both bounds are of one field. */
function twinField(reading: Reading, i: number, end: number): NamedField | undefined {
  const { compared, tokens, fields } = reading;
  const joins = (at: number) => /^(and|but)$/.test(wordAt(reading, at));
  const named = fieldAt(tokens, end, fields, isAmount);
  if (compared && compared.end === i - 1 && joins(i - 1) && !named) return compared.field;
  const next = joins(end) && !named ? comparisonAt(reading, end + 1) : undefined;
  if (!next) return undefined;
  const from = past(reading, end + 1 + next.length, ARTICLES);
  const quantity = quantityAt(tokens, from);
  return quantity && only(fieldAt(tokens, from + quantity.length, fields, isAmount)?.fields ?? []);
}

/** "scoring above 90", "more than 20 people": a word that nothing reads may well be the name of what is compared. */
function isAmongUnread(reading: Reading, i: number, end: number): boolean {
  const before = reading.tokens.slice(0, i).findLast((token) => !isFiller(token));
  const after = reading.tokens[end];
  if (before !== undefined && before.use === null) return true;
  if (after?.kind !== 'word' || after.use !== null || isFiller(after) || reading.typesAt.has(end))
    return false;
  const isRead =
    valueAt(reading, end) ?? fieldAt(reading.tokens, end, reading.fields) ?? comparisonAt(reading, end);
  return isRead === undefined && phraseAt(reading, end, NEGATIONS) === undefined && !SORTING.test(after.word);
}

const SORTING = /^(sorted|ordered|ranked|alphabetically|ascending|descending|cheapest|newest|oldest|latest)$/;

/** A field that is not named is meant only by an amount that it may have. */
function plausible(field: NamedField | undefined, { value }: Quantity): NamedField | undefined {
  const { low = 0, high = 0 } = field ?? {};
  return value >= low / 2 && value <= high * 10 ? field : undefined;
}

/** "more than 50 employees" of a type that has such a field means the field, though people are a type. */
function typeField(reading: Reading, end: number): { field: NamedField; length: number } | undefined {
  const named = fieldAt(reading.tokens, end, reading.fields, isAmount);
  const field = only(named?.fields ?? []);
  return named && field && named.by !== 'stem' ? { field, length: named.length } : undefined;
}

function unitField(fields: readonly NamedField[], unit: Quantity['unit']): NamedField | undefined {
  if (!unit || unit.measures === 'money' || unit.measures === 'pieces') return undefined;
  const named = only(
    fields.filter(
      (field) => isAmount(field) && agrees(field, unit) && field.core.length < field.words.length,
    ),
  );
  if (named) return named;
  for (const dimension of UNIT_DIMENSIONS[unit.measures] ?? []) {
    const field = dimensionField(dimension, fields);
    if (field) return field;
  }
  return undefined;
}

/** "older than 60": by a number of years, or by the time since. */
function addAge(reading: Reading, { i, end, quantity, side, upto }: Amounts): number {
  const age = dimensionField(
    'age',
    reading.fields.filter(isAmount).filter(({ words }) => words.includes('age')),
  );
  const unit = (upto ?? quantity).unit;
  const value = age && inUnitOf(age, quantity);
  if (age && value !== undefined && (unit === undefined || unit.word === 'year' || isTimed(age))) {
    closeMention(reading);
    addTest(reading, amountCondition(age, side, value, upto && inUnitOf(age, upto)), { paths: [] });
    return use(reading, i, end - i, 'number');
  }
  const open = reading.mention?.fields.filter(isDated) ?? [];
  const births = reading.fields.filter(isBirth);
  const field = only(open) ?? only(births) ?? datedField(reading.fields, reading.types);
  const name = unit?.word ?? 'year';
  if (!field || !['year', 'month', 'week', 'day'].includes(name)) return 0;
  const before = (value: number) =>
    datedSpan(shifted(reading.today, name, -value), field.dated === 'year' ? 'year' : 'day');
  const where = timeCondition(field, FLIPPED[side], before(quantity.value));
  const other = upto && timeCondition(field, 'gte', before(upto.value));
  if (!where || (upto && !other)) return 0;
  useMention(reading);
  const younger = upto && timeCondition(field, 'lte', before(quantity.value));
  addTest(reading, other && younger ? { and: [other, younger] } : where, { paths: [] });
  return use(reading, i, end - i, 'number');
}

/** Whether its name has a unit of time: `age_months`. */
const isTimed = ({ words }: NamedField) => words.some((word) => unitNamed(word)?.measures === 'time');

const RANGE_JOINTS = new Set(['and', 'to', 'until', 'till', 'through', '-', '–']);

/** Reads "between 10 and 20", "from January to March 2025", "2010-2015"; 0 when there is no range. */
function readRange(reading: Reading, i: number): number {
  const word = wordAt(reading, i);
  const led = word === 'between' || word === 'from';
  const from = led ? past(reading, i + 1, ARTICLES) : i;
  if (!led && reading.tokens[i]?.kind === 'word') return 0;
  return readTimes(reading, i, from, word) || readAmounts(reading, i, from, word);
}

const joins = (reading: Reading, at: number, lead: string) =>
  RANGE_JOINTS.has(wordAt(reading, at).trim()) && (lead === 'between' || wordAt(reading, at) !== 'and');

function readTimes(reading: Reading, i: number, from: number, lead: string): number {
  const low = spanAt(reading.tokens, from, reading.today);
  if (!low || !joins(reading, from + low.length, lead)) return 0;
  const at = from + low.length + 1;
  const high = spanAt(reading.tokens, at, reading.today);
  if (!high || (low.isYear && reading.mention?.fields.some(isAmount))) return 0;
  // "between January and March 2025" is of one year.
  const year = new Date(high.from).getUTCFullYear();
  const first =
    low.length === 1 && !low.isYear && /^\d{4}$/.test(wordAt(reading, at + high.length - 1))
      ? sameYear(low, year, high.from)
      : low;
  if (!addTime(reading, 'eq', first, high)) return 0;
  return use(reading, i, at + high.length - i, 'date');
}

function sameYear({ from }: Span, year: number, before: number): Pick<Span, 'from' | 'to'> {
  const month = new Date(from).getUTCMonth();
  const start = Date.UTC(year, month, 1) <= before ? Date.UTC(year, month, 1) : Date.UTC(year - 1, month, 1);
  return { from: start, to: start };
}

function readAmounts(reading: Reading, i: number, from: number, lead: string): number {
  const low = quantityAt(reading.tokens, from);
  if (!low || !joins(reading, from + low.length, lead)) return 0;
  const at = past(reading, from + low.length + 1, ARTICLES);
  const high = quantityAt(reading.tokens, at);
  if (!high) return 0;
  const quantity = {
    ...low,
    unit: low.unit ?? high.unit,
    ...(low.scale === 1 &&
      high.scale > 1 &&
      low.value < high.value / high.scale && { value: low.value * high.scale, scale: high.scale }),
  };
  return addAmount(reading, {
    i,
    from,
    end: at + high.length,
    quantity,
    upto: { ...high, unit: high.unit ?? low.unit },
    side: 'gte',
    dimension: null,
  });
}

/** Whether a time follows at `i`, with or without a comparison. */
export function timeFollows(reading: Reading, i: number): boolean {
  const compared = comparisonAt(reading, i);
  const from = compared ? past(reading, i + compared.length, ARTICLES) : past(reading, i, LEADING_TO_TIMES);
  return spanAt(reading.tokens, from, reading.today) !== undefined;
}

const LEADING_TO_TIMES = new Set([...BEFORE_TIMES, 'between', 'from']);

/** "3 rooms", "3 rooms or more". */
function addCounted(reading: Reading, i: number, quantity: Quantity, field: number): number {
  const end = i + quantity.length;
  const after = field > 0 ? phraseAt(reading, end + field, AFTER_AMOUNT) : undefined;
  const side = after?.meaning ?? 'eq';
  const length = addAmount(reading, { i, from: i, end, quantity, side, dimension: null });
  if (length === 0 || !after) return length;
  return length + use(reading, i + length, after.length, 'operator');
}

/** "2 or 3 berths", "atomic numbers 6, 7 and 8": one of several numbers of a field. */
function readNumberList(reading: Reading, i: number): number {
  const values: number[] = [];
  let end = i;
  for (let at = i; ; ) {
    const quantity = quantityAt(reading.tokens, at);
    if (!quantity || (quantity.unit && quantity.unit.measures !== 'pieces')) break;
    values.push(quantity.value);
    end = at + 1;
    const joint = past(reading, end, new Set([',', 'or', 'and']));
    if (joint === end || quantity.length > 1) break;
    at = joint;
  }
  if (values.length < 2) return 0;
  const open = only(reading.mention?.fields.filter(isAmount) ?? []);
  const named = open ? undefined : fieldAt(reading.tokens, end, reading.fields, isAmount);
  const field = open ?? only(named?.fields ?? []);
  if (!field) return 0;
  if (open) useMention(reading);
  else closeMention(reading);
  use(reading, end, named?.length ?? 0, 'field');
  addTest(reading, { field: field.name, op: 'in', value: values }, { paths: [] });
  return use(reading, i, end - i, 'number') + (named?.length ?? 0);
}

/** Reads a bare number: "3 bedrooms", "rating 5", "10 customers", "2025". */
export function readNumber(reading: Reading, i: number): number {
  const list = readNumberList(reading, i);
  if (list > 0) return list;
  const quantity = quantityAt(reading.tokens, i);
  if (!quantity) return 0;
  const end = i + quantity.length;
  const isCount = quantity.unit === undefined && Number.isInteger(quantity.value) && quantity.value > 0;
  if (
    isCount &&
    !reading.mention &&
    leadsToType(reading, end) &&
    !/^(has|have|with)$/.test(wordAt(reading, i - 1))
  ) {
    reading.limit = quantity.value;
    return use(reading, i, quantity.length, 'limit');
  }
  const open = only(reading.mention?.fields ?? []);
  if (open && !isAmount(open) && hasTexts(open) && quantity.unit === undefined) {
    // A text that is none of a number, such as a date in words, is no number.
    if (!open.samples.some((sample) => /^\W*\d+\W*$/.test(sample))) return 0;
    useMention(reading);
    addTest(reading, { field: open.name, op: '=', value: reading.tokens[i]?.text ?? '' }, { paths: [] });
    return use(reading, i, quantity.length, 'value');
  }
  const after = fieldAt(reading.tokens, end, reading.fields, isAmount);
  if (
    reading.mention?.fields.some(isAmount) ||
    (after && after.fields.length === 1) ||
    (quantity.unit && quantity.unit.measures !== 'money')
  )
    return addCounted(reading, i, quantity, after?.length ?? 0);
  const category = fieldAt(reading.tokens, end, reading.fields, isText);
  const dated = fieldAt(reading.tokens, end, reading.fields, (field) => field.dated === 'year');
  const span = dated && dated.fields.length === 1 ? spanAt(reading.tokens, i, reading.today) : undefined;
  if (dated && span?.isYear) {
    reading.mention = { ...dated, at: end, owned: false };
    if (addTime(reading, 'eq', span)) return use(reading, i, quantity.length, 'date') + dated.length;
  }
  const isOfValue = valueAt(reading, end) !== undefined && !isSingular(wordAt(reading, end));
  if (isCount && (isOfValue || (category && category.by !== 'stem')) && reading.limit === null) {
    reading.limit = quantity.value;
    return use(reading, i, quantity.length, 'limit');
  }
  return 0;
}

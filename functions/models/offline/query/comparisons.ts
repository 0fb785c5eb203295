// Comparisons, ranges, times, texts and values in a query, as conditions on fields.
import type { Where } from '#contract/conditions.ts';
import { datedSpan, type Side, type Span, shifted, spanAt, timeCondition } from './dates.ts';
import {
  AFTER_AMOUNT,
  BASES,
  BEFORE_AMOUNT,
  COMPARATIVES,
  DIRECTIONS,
  HAPPENED,
  LEADS_TO_VALUE,
  NEGATIONS,
  OF_TIME,
  UNIT_DIMENSIONS,
} from './lexicon.ts';
import {
  datedField,
  dimensionField,
  fieldAt,
  hasTexts,
  isAmount,
  isBirth,
  isDated,
  isFlag,
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
  exists,
  isFiller,
  type KnownValue,
  past,
  phraseAt,
  type Reading,
  use,
  useMention,
  wordAt,
} from './reading.ts';
import { isQuoted, isSingular, nounOf } from './tokens.ts';

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
  const done =
    span && (OF_TIME.has(wordAt(reading, i + length - 1)) || reading.mention?.fields.some(isDated))
      ? addTime(reading, side, span)
      : undefined;
  if (done) return use(reading, i, length, 'date');
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

function comparisonAt(reading: Reading, i: number): Comparison | undefined {
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
  return {
    side: found.meaning,
    dimension: null,
    length: found.length,
    ofTime: OF_TIME.has(wordAt(reading, i + found.length - 1)) || OF_TIME.has(first),
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
  addTest(reading, where, { paths: [] });
  reading.mention = null;
  return end + length - i;
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
  if (age && (unit === undefined || unit.word === 'year')) {
    closeMention(reading);
    addTest(reading, amountCondition(age, side, quantity.value, upto?.value), { paths: [] });
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

/** The field of a time: the one named just before, else the one that the type is dated by. */
function timeField(reading: Reading): NamedField | undefined {
  return only(reading.mention?.fields.filter(isDated) ?? []) ?? datedField(reading.fields, reading.types);
}

/** Adds a condition on a time; undefined when no field is meant, or none that can tell. */
function addTime(
  reading: Reading,
  side: Side,
  span: Pick<Span, 'from' | 'to'>,
  upto?: Pick<Span, 'from' | 'to'>,
): true | undefined {
  const field = timeField(reading);
  const where =
    field &&
    (upto ? timeCondition(field, 'eq', { from: span.from, to: upto.to }) : timeCondition(field, side, span));
  if (!where) return undefined;
  if (reading.mention?.fields.some(isDated)) useMention(reading);
  addTest(reading, where, { paths: [] });
  return true;
}

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

const BEFORE_TIMES = new Set([
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
const AGO = new Set(['ago']);

/** Reads a time at `i` that needs no comparison: "in 2025", "last month", "on 5 March 2021". */
export function readTime(reading: Reading, i: number): number {
  const from = past(reading, i, BEFORE_TIMES);
  const span = spanAt(reading.tokens, from, reading.today);
  if (!span || AGO.has(wordAt(reading, from + span.length))) return 0;
  const month = wordAt(reading, from);
  if (span.length === 1 && (month === 'may' || month === 'march') && from === i) return 0;
  if (span.isYear && reading.mention?.fields.some(isAmount) && from === i) return 0;
  if (span.isYear && from === i && quantityAt(reading.tokens, from)?.unit) return 0;
  if (!addTime(reading, 'eq', span)) return 0;
  claimHappened(reading, i - 1);
  return use(reading, i, from + span.length - i, 'date');
}

/** Whether a time follows at `i`, with or without a comparison. */
export function timeFollows(reading: Reading, i: number): boolean {
  const compared = comparisonAt(reading, i);
  const from = compared ? past(reading, i + compared.length, ARTICLES) : past(reading, i, LEADING_TO_TIMES);
  return spanAt(reading.tokens, from, reading.today) !== undefined;
}

const LEADING_TO_TIMES = new Set([...BEFORE_TIMES, 'between', 'from']);

/** "placed" in "placed in 2025" says no more than the date. */
function claimHappened(reading: Reading, i: number): void {
  if (HAPPENED.has(wordAt(reading, i))) use(reading, i, 1, 'filler');
}

const CONTAINING = new Set([
  'contains',
  'contain',
  'containing',
  'includes',
  'include',
  'including',
  'mentions',
  'mention',
  'mentioning',
]);
const STARTING = new Set(['starts', 'start', 'starting', 'begins', 'begin', 'beginning']);
const NAMED = new Set(['named', 'called', 'titled']);

/** Reads "name contains X", "starting with X", "named X"; 0 when there is no text to compare. */
export function readText(reading: Reading, i: number): number {
  const word = wordAt(reading, i);
  const starts = STARTING.has(word) && wordAt(reading, i + 1) === 'with';
  const contains = CONTAINING.has(word);
  const named = NAMED.has(word);
  if (!starts && !contains && !named) return 0;
  const open = reading.mention?.fields.filter(hasTexts) ?? [];
  const name = reading.fields.find(({ words }) => words.join() === 'name');
  const field = only(open) ?? (open.length === 0 && (starts || named) ? name : undefined);
  const from = past(
    reading,
    i + (starts ? 2 : 1),
    new Set(['the', 'a', 'an', 'word', 'text', 'letter', 'letters', 'phrase', 'with']),
  );
  const said = textAt(reading, from);
  if (!field || !said) return 0;
  useMention(reading);
  addTest(
    reading,
    { field: field.name, op: starts ? 'starts_with' : 'contains', value: said.text },
    { paths: [] },
  );
  return use(reading, i, from + said.length - i, 'value');
}

/** The quotation at `i`, the value, or the one word. */
function textAt(reading: Reading, i: number): { text: string; length: number } | undefined {
  const { tokens } = reading;
  const token = tokens[i];
  if (!token || token.kind === 'sign') return undefined;
  const length =
    token.quote === null
      ? (valueAt(reading, i)?.length ?? 1)
      : tokens.slice(i).findIndex(({ quote }) => quote !== token.quote);
  const end = length < 0 ? tokens.length - i : length;
  return {
    text: tokens
      .slice(i, i + end)
      .map(({ text }) => text)
      .join(' ')
      .slice(0, 200),
    length: end,
  };
}

const EQUAL = new Set(['is', 'are', '=', '==', 'equals', 'equal']);

/** Reads "city = Atlantis" where no record has the text: exact, and true of none. */
export function readUnknownText(reading: Reading, i: number): number {
  const field = only(reading.mention?.fields.filter(isText) ?? []);
  if (!field || !EQUAL.has(wordAt(reading, i))) return 0;
  const negated = wordAt(reading, i + 1) === 'not' ? 1 : 0;
  const at = i + 1 + negated;
  const token = reading.tokens[at];
  const isSign = /^=/.test(wordAt(reading, i));
  if (!token || (!isQuoted(token) && !isSign && !/^\p{Lu}/u.test(token.text)) || valueAt(reading, at))
    return 0;
  const said = textAt(reading, at);
  if (!said) return 0;
  useMention(reading);
  const where: Where = { field: field.name, op: '=', value: said.text };
  addTest(reading, negated > 0 ? { not: where } : where, { paths: [field.path] });
  return use(reading, i, at + said.length - i, 'value');
}

/** The values that begin at `i`, longest first. */
export function valueAt(reading: Reading, i: number): { values: KnownValue[]; length: number } | undefined {
  const { tokens, values } = reading;
  const word = wordAt(reading, i);
  const noun = nounOf(word);
  const possible = [...(values.get(noun) ?? []), ...(noun === word ? [] : (values.get(word) ?? []))];
  const found = possible.flatMap((value) => {
    const length = lengthOf(reading, i, value.nouns);
    return length > 0 ? [{ value, length }] : [];
  });
  const length = Math.max(0, ...found.map((one) => one.length));
  if (length === 0 || tokens.slice(i, i + length).some(({ use: used }) => used !== null && used !== 'filler'))
    return undefined;
  const same = found.filter((one) => one.length === length).map(({ value }) => value);
  const meant = same.filter((value) => !value.plain || meansValue(reading, i, length, value));
  return meant.length > 0 ? { values: meant, length } : undefined;
}

function lengthOf({ tokens }: Reading, i: number, nouns: readonly string[]): number {
  let at = i;
  for (const noun of nouns) {
    if (at > i) while (tokens[at]?.kind === 'sign') at += 1;
    const token = tokens[at];
    if (!token || token.kind === 'sign' || (nounOf(token.word) !== noun && token.word !== noun)) return 0;
    at += 1;
  }
  return at - i;
}

/** A plain word is a value only after a word that leads to one, or next to the name of its field. */
function meansValue(reading: Reading, i: number, length: number, { path }: KnownValue): boolean {
  const before = wordAt(reading, i - 1);
  if (isQuoted(reading.tokens[i])) return true;
  if (reading.mention?.fields.some((field) => field.path === path)) return true;
  if (reading.hints.some((field) => field.path === path) && /^(and|or|,|not|is|are|=)$/.test(before))
    return true;
  if (LEADS_TO_VALUE.has(before) && !/^(is|are|was|were|be|and|or|not|,|to|of|for|as|by|from)$/.test(before))
    return true;
  const field = reading.fields.find((one) => one.path === path);
  const after = wordAt(reading, i + length);
  return [before, after].some((word) => word !== '' && field?.words.includes(nounOf(word)) === true);
}

/** "low risk": an adjective of a field that does not have it, though another field may. */
function isOfOtherField(
  reading: Reading,
  i: number,
  { values, length }: { values: KnownValue[]; length: number },
): boolean {
  const end = i + length;
  if (!BASES.has(wordAt(reading, i)) || reading.mention || reading.typesAt.has(end)) return false;
  const next = fieldAt(reading.tokens, end, reading.fields);
  return next !== undefined && !next.fields.some((field) => values.some(({ path }) => path === field.path));
}

/** Reads a value at `i`; of a field named before, else of each field that has it. */
export function readValue(reading: Reading, i: number): number {
  const found = valueAt(reading, i);
  if (!found) return 0;
  const { values, length } = found;
  if (isOfOtherField(reading, i, found)) return 0;
  const chosen = ofMeantField(reading, i, values);
  const paths = [...new Set(chosen.map(({ path }) => path))];
  const named = reading.mention?.fields.some(({ path }) => paths.includes(path)) === true;
  if (named) useMention(reading);
  else closeMention(reading);
  // "open status": the name of the field may come after its value.
  const after = fieldAt(reading.tokens, i + length, reading.fields, (field) => paths.includes(field.path));
  const behind = !named && after && after.by !== 'synonym' ? after.length : 0;
  use(reading, i, length, 'value');
  use(reading, i + length, behind, 'field');
  const equalities = chosen.map(({ field, value }): Where => ({ field, op: '=', value }));
  addTest(reading, only(equalities) ?? { or: equalities }, {
    paths,
    bare: !named && behind === 0,
  });
  return length + behind;
}

function ofMeantField(reading: Reading, i: number, values: KnownValue[]): KnownValue[] {
  const among = (fields: readonly NamedField[]) =>
    values.filter(({ path }) => fields.some((field) => field.path === path));
  const named = among(reading.mention?.fields ?? []);
  if (named.length > 0) return named;
  const last = reading.tests.at(-1);
  const continued =
    reading.joint !== '' && last ? values.filter(({ path }) => last.paths.includes(path)) : [];
  if (continued.length > 0) return continued;
  const direction = DIRECTIONS[wordAt(reading, i - 1)];
  const directed = direction
    ? values.filter(({ path }) =>
        reading.fields.some(
          (field) => field.path === path && field.words.some((word) => direction.has(word)),
        ),
      )
    : [];
  if (directed.length > 0 && directed.length < values.length) return directed;
  const hinted = among(reading.hints);
  return hinted.length > 0 ? hinted : values;
}

/** Reads a negation at `i`, which the next condition takes over. */
export function readNegation(reading: Reading, i: number): number {
  const found = phraseAt(reading, i, NEGATIONS);
  if (!found) return 0;
  closeMention(reading);
  const { meaning, length } = found;
  if (wordAt(reading, i) === 'nor') reading.joint = 'and';
  reading.negation = { kind: meaning, from: i, length };
  return length;
}

/** "out of stock": none of what a field counts, or its flag not set. */
export function readOutOf(reading: Reading, i: number): number {
  if (wordAt(reading, i) !== 'out' || wordAt(reading, i + 1) !== 'of') return 0;
  const named = fieldAt(reading.tokens, i + 2, reading.fields, (field) => isAmount(field) || isFlag(field));
  const field = only(named?.fields ?? []);
  if (!named || !field) return 0;
  closeMention(reading);
  addTest(reading, { field: field.name, op: '=', value: isFlag(field) ? false : 0 }, { paths: [] });
  return use(reading, i, 2 + named.length, 'operator');
}

const MISSING = /^(missing|empty|unknown|null|blank|absent|unset)$/;
const PRESENT = /^(known|present|filled)$/;

/** Reads "email is missing", "phone is known". */
export function readPresence(reading: Reading, i: number): number {
  const field = only(reading.mention?.fields ?? []);
  const word = wordAt(reading, i);
  if (!field || (!MISSING.test(word) && !PRESENT.test(word))) return 0;
  useMention(reading);
  addTest(reading, MISSING.test(word) ? { not: exists(field) } : exists(field), { paths: [] });
  return use(reading, i, 1, 'operator');
}

/** Whether only values or flags stand before the type: "three red wines". */
export function leadsToType(reading: Reading, i: number): boolean {
  for (let at = i; at < i + 4; at++) {
    if (reading.typesAt.has(at)) return true;
    const isFlagged = fieldAt(reading.tokens, at, reading.fields, isFlag) !== undefined;
    const value = valueAt(reading, at);
    if (!value && !isFlagged) return false;
    at += (value?.length ?? 1) - 1;
  }
  return false;
}

/** Reads a bare number: "3 bedrooms", "rating 5", "10 customers", "2025". */
export function readNumber(reading: Reading, i: number): number {
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
    return addAmount(reading, { i, from: i, end, quantity, side: 'eq', dimension: null });
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

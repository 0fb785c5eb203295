// Orders and limits in a query: "top 5", "cheapest", "the most orders", "newest first", "sorted by price".

import type { Measure } from '#contract/conditions.ts';
import { limits } from '#contract/limits.ts';
import { spanAt } from './dates.ts';
import { BASES, BY_NAME, DIRECTIONS_OF_ORDER, MEASURES, SORTS, SUPERLATIVES } from './lexicon.ts';
import {
  CREATED,
  datedField,
  dimensionField,
  fieldAt,
  isAmount,
  isBirth,
  isDated,
  isText,
  type NamedField,
  only,
} from './names.ts';
import { quantityAt } from './quantities.ts';
import { ARTICLES, closeMention, isOneOf, past, phraseAt, type Reading, use, wordAt } from './reading.ts';
import { isSingular } from './tokens.ts';
import { leadsToType } from './values.ts';

type Direction = 'asc' | 'desc';

/** Words that rank as a superlative does where a number or a field follows. */
const RANKS = new Set(['top', 'best', 'bottom', 'worst']);

interface Superlative {
  dimension: string;
  sign: 1 | -1;
  length: number;
}

function superlativeAt(reading: Reading, i: number): Superlative | undefined {
  if (reading.tokens[i]?.use !== null) return undefined;
  const word = wordAt(reading, i);
  if (wordAt(reading, i - 1) === 'at' && (word === 'least' || word === 'most')) return undefined;
  const base = BASES.get(wordAt(reading, i + 1));
  if ((word === 'most' || word === 'least') && base)
    return {
      dimension: base.dimension,
      sign: word === 'most' ? base.sign : base.sign === 1 ? -1 : 1,
      length: 2,
    };
  if (word === 'bottom') return { dimension: 'rating', sign: -1, length: 1 };
  const degree = SUPERLATIVES.get(word);
  return degree && { ...degree, length: 1 };
}

/** Reads an order at `i`; 0 when there is none. */
export function readOrder(reading: Reading, i: number): number {
  return (
    readSorted(reading, i) ||
    readPlainLimit(reading, i) ||
    readFromTo(reading, i) ||
    readSuperlative(reading, i) ||
    readFirst(reading, i)
  );
}

/** "sorted by price descending", "alphabetically", "in ascending order". */
function readSorted(reading: Reading, i: number): number {
  const byName = phraseAt(reading, i, BY_NAME);
  const name = reading.fields.find(({ core }) => core.join() === 'name');
  if (byName && name) {
    reading.sort.push({ field: name, direction: 'asc' });
    return use(reading, i, byName.length, 'order');
  }
  const direction = phraseAt(reading, i, DIRECTIONS_OF_ORDER);
  if (direction) {
    const before = reading.sort.at(-1);
    const open = only(reading.mention?.fields ?? []);
    if (before) before.direction = direction.meaning;
    else if (open) sortBy(reading, open, direction.meaning);
    else reading.rank = { direction: direction.meaning, dimension: null, at: i, length: direction.length };
    return use(reading, i, before || open ? direction.length : 0, 'order') || direction.length;
  }
  const sorted = phraseAt(reading, i, SORTS);
  // "ranked 5 to 10" are no first ones.
  if (!sorted || quantityAt(reading.tokens, i + sorted.length)) return 0;
  closeMention(reading);
  let length = sorted.length;
  for (;;) {
    const at = past(reading, i + length, ARTICLES);
    const named = fieldAt(reading.tokens, at, reading.fields);
    const field = only(named?.fields ?? []);
    if (!named || !field) break;
    use(reading, at, named.length, 'field');
    reading.sort.push({ field, direction: directionOf(field) });
    length = at + named.length - i;
    if (!/^(and|then|,)$/.test(wordAt(reading, i + length))) break;
    length += 1;
  }
  const word = wordAt(reading, i + sorted.length - 1);
  if (reading.sort.length > 0 || SUPERLATIVES.has(wordAt(reading, i + length)) || word !== 'by')
    use(reading, i, sorted.length, 'order');
  return length;
}

/** Numbers and times begin with the greatest, texts with the first. */
const directionOf = (field: NamedField): Direction => (isAmount(field) || isDated(field) ? 'desc' : 'asc');

function sortBy(reading: Reading, field: NamedField, direction: Direction): void {
  const { mention } = reading;
  if (mention?.fields.includes(field)) {
    use(reading, mention.at, mention.length, 'field');
    reading.mention = null;
  }
  const before = reading.sort.find((one) => one.field === field);
  if (before) before.direction = direction;
  else reading.sort.push({ field, direction });
}

/** "first 10 orders", "limit 5", "only 3": a number of records without an order. */
function readPlainLimit(reading: Reading, i: number): number {
  const word = wordAt(reading, i);
  const quantity = /^(first|last|limit|limited|only)$/.test(word)
    ? quantityAt(reading.tokens, past(reading, i + 1, new Set(['to', 'the'])))
    : undefined;
  if (!quantity || quantity.unit || !Number.isInteger(quantity.value) || quantity.value < 1) return 0;
  const end = past(reading, i + 1, new Set(['to', 'the'])) + quantity.length;
  if (word === 'only' && !reading.typesAt.has(end) && end < reading.tokens.length) return 0;
  if (word === 'last') {
    const field = datedField(reading.fields, reading.types);
    if (!field) return 0;
    sortBy(reading, field, 'desc');
  }
  reading.limit = quantity.value;
  return use(reading, i, end - i, 'limit');
}

/** "from smallest to largest area", "from oldest to newest". */
function readFromTo(reading: Reading, i: number): number {
  if (wordAt(reading, i) !== 'from') return 0;
  const first = superlativeAt(reading, i + 1);
  const to = i + 1 + (first?.length ?? 0);
  const last = wordAt(reading, to) === 'to' ? superlativeAt(reading, to + 1) : undefined;
  if (!first || !last || first.sign === last.sign) return 0;
  const end = to + 1 + last.length;
  const at = past(reading, end, ARTICLES);
  const named = fieldAt(reading.tokens, at, reading.fields, (field) => isAmount(field) || isDated(field));
  const field = only(named?.fields ?? []) ?? (named ? undefined : fieldFor(reading, first));
  if (!field) return 0;
  closeMention(reading);
  sortBy(reading, field, directionFor(field, first));
  if (named) use(reading, at, named.length, 'field');
  use(reading, i, end - i, 'order');
  return (named ? at + named.length : end) - i;
}

/** A superlative where it stands, with the number of records that it asks for. */
interface Placed {
  i: number;
  said: Superlative;
  /** Where its own words begin, where they and the number end, and where what it ranks by may begin. */
  from: number;
  end: number;
  at: number;
  direction: Direction;
  hasNumber: boolean;
}

/** "the 5 cheapest products", "highest rated", "customer with the highest spend", "city with the most customers". */
function readSuperlative(reading: Reading, i: number): number {
  const before = countAt(reading, i);
  const from = i + (before?.length ?? 0);
  const said = superlativeAt(reading, from);
  if (!said || isOneOfMeasures(reading, from)) return 0;
  const behind = before ? undefined : countAt(reading, from + said.length);
  const number = before ?? behind;
  const end = from + said.length + (behind?.length ?? 0);
  if (number) reading.limit = number.value;
  if (behind) use(reading, from + said.length, behind.length, 'limit');
  if (before) use(reading, i, before.length, 'limit');
  const at = past(reading, end, new Set([...ARTICLES, 'number', 'amount', 'ones']));
  const placed = { i, said, from, end, at, direction: directed(said.sign), hasNumber: number !== undefined };
  return (
    readAdjectiveFirst(reading, placed) ??
    readRankedMeasure(reading, placed) ??
    readRankedField(reading, placed) ??
    readMostRecords(reading, placed) ??
    readMostCommon(reading, placed) ??
    readRankedDimension(reading, placed)
  );
}

/** The words of the superlative are used as an order; returns how far it goes with `length` more tokens. */
function ranks(reading: Reading, { i, said, from }: Placed, length: number): number {
  use(reading, from, said.length, 'order');
  return from + said.length - i + length;
}

/** "cheapest first", "cheapest ones first". */
function readAdjectiveFirst(reading: Reading, placed: Placed): number | undefined {
  const { end, said } = placed;
  const length =
    wordAt(reading, end) === 'first'
      ? 1
      : wordAt(reading, end) === 'ones' && wordAt(reading, end + 1) === 'first'
        ? 2
        : undefined;
  if (length === undefined) return undefined;
  const field = fieldFor(reading, said);
  if (!field) return 0;
  sortBy(reading, field, directionFor(field, said));
  return ranks(reading, placed, use(reading, end, length, 'order'));
}

/** "the highest average price": a measure to rank by, which is read next. */
function readRankedMeasure(reading: Reading, placed: Placed): number | undefined {
  const { said, from, end, at, direction } = placed;
  const own = fieldAt(reading.tokens, at, reading.fields, isAmount);
  const isName = own !== undefined && own.length > 1 && own.by === 'name';
  const operation = isName ? undefined : phraseAt(reading, at, MEASURES);
  if (!operation || operation.meaning === 'max' || operation.meaning === 'min') return undefined;
  const measuredAt = past(reading, at + operation.length, ARTICLES);
  if (!fieldAt(reading.tokens, measuredAt, reading.fields, isAmount)) return undefined;
  closeMention(reading);
  reading.rank = { direction, dimension: null, at: from, length: said.length };
  return ranks(reading, placed, at - end);
}

/** Adjectives that say of any number that it is large or small. */
const GENERAL = new Set(['amount', 'size', 'length', 'rating', 'height', 'age', 'price']);

/** "highest price": an order, or the number that is asked for. */
function readRankedField(reading: Reading, placed: Placed): number | undefined {
  const { i, said, from, at } = placed;
  const isTyped = reading.typesAt.has(at);
  if (isTyped && isRank(reading, from)) return undefined;
  const fits = (field: NamedField) => isAmount(field) || (isDated(field) && said.dimension === 'age');
  const named = fieldAt(reading.tokens, at, reading.fields, fits);
  // "oldest open ticket" is not the one that was opened first, or not only.
  const isNamed = named !== undefined && (named.by !== 'stem' || /ed$/.test(wordAt(reading, at)));
  const field = isNamed ? only(named.fields) : undefined;
  if (!named || !field || !GENERAL.has(said.dimension) || (isTyped && named.by !== 'name')) return undefined;
  const op = measureOp(reading, from, said, at + named.length);
  closeMention(reading);
  use(reading, at, named.length, 'field');
  if (op && !placed.hasNumber) {
    use(reading, from, said.length, 'measure');
    reading.measures.push({ op, field });
    return at + named.length - i;
  }
  sortBy(reading, field, directionFor(field, said));
  const first = readFirstAfter(reading, at + named.length);
  if (first > 0) return ranks(reading, placed, at + named.length + first - from - said.length);
  reading.adjective = adjectiveOf(reading, said, /^(most|fewest|least)$/.test(wordAt(reading, from)));
  oneUnlessMany(reading, at + named.length);
  return ranks(reading, placed, at + named.length - from - said.length);
}

const isRank = (reading: Reading, from: number) => RANKS.has(wordAt(reading, from));

/** "city with the most customers". */
function readMostRecords(reading: Reading, placed: Placed): number | undefined {
  const { said, from, at, direction } = placed;
  const isMost = said.length === 1 && /^(most|fewest|least)$/.test(wordAt(reading, from));
  if (!isMost || !leadsToType(reading, at)) return undefined;
  closeMention(reading);
  reading.count = true;
  reading.rank = { direction, dimension: null, at: from, length: said.length };
  return ranks(reading, placed, at - from - said.length);
}

/** "the most common diagnosis". */
function readMostCommon(reading: Reading, { i, said, from }: Placed): number | undefined {
  const word = wordAt(reading, from + 1);
  const isCommon =
    /^(common|frequent|frequently|often)$/.test(word) || (said.length === 2 && word === 'popular');
  if (wordAt(reading, from) !== 'most' || !isCommon) return undefined;
  const skip = past(reading, from + 2, ARTICLES);
  const group = fieldAt(reading.tokens, skip, reading.fields, isText);
  const field = only(group?.fields ?? []);
  if (!group || !field) return undefined;
  use(reading, from, 2, 'order');
  use(reading, skip, group.length, 'group');
  reading.groups.push(field);
  reading.count = true;
  reading.rank = { direction: 'desc', dimension: null, at: from, length: 2 };
  if (reading.limit === null && isOneOf(reading, skip + group.length - 1)) reading.limit = 1;
  return skip + group.length - i;
}

/** "cheapest" goes by the field that the adjective is about; "top 5 cities by revenue" by one that is still to come. */
function readRankedDimension(reading: Reading, placed: Placed): number {
  const { i, said, from, end, at, direction } = placed;
  // "the largest and the smallest": one order cannot have both.
  if (reading.adjective && reading.adjective.sign !== said.sign && !isRank(reading, from)) return 0;
  const field = fieldFor(reading, said);
  const category = fieldAt(reading.tokens, at, reading.fields, isText);
  if (isRank(reading, from) || (said.dimension !== 'age' && (category || !field))) {
    reading.rank ??= { direction, dimension: said.dimension, at: from, length: said.length };
    return end - i;
  }
  if (!field) return 0;
  closeMention(reading);
  sortBy(reading, field, directionFor(field, said));
  reading.adjective = adjectiveOf(reading, said);
  const typed = reading.typesAt.get(at) ?? 0;
  if (typed === 0 || readFirstAfter(reading, at + typed) === 0) oneUnlessMany(reading, at);
  return ranks(reading, placed, end - from - said.length);
}

/** "the largest revenue first", "oldest companies first": an order of all of them. */
const readFirstAfter = (reading: Reading, i: number): number =>
  wordAt(reading, i) === 'first' && reading.tokens[i + 1]?.kind !== 'number'
    ? use(reading, i, 1, 'order')
    : 0;

/** The order just made, so that a field named later takes its place; an age counts back from today. */
const adjectiveOf = (
  reading: Reading,
  { dimension, sign }: Superlative,
  isCount = false,
): Reading['adjective'] => ({
  index: reading.sort.length - 1,
  sign: (dimension === 'age') === (sign === 1) ? -1 : 1,
  isCount,
});

/** "minimum, maximum and average price" are measures of one field. */
function isOneOfMeasures(reading: Reading, i: number): boolean {
  const next = past(reading, i + 1, new Set([',', 'and', '&']));
  return (
    next > i + 1 &&
    /^(min|max|minimum|maximum)$/.test(wordAt(reading, i)) &&
    phraseAt(reading, next, MEASURES) !== undefined
  );
}

function countAt(reading: Reading, i: number): { value: number; length: number } | undefined {
  const quantity = quantityAt(reading.tokens, i);
  return quantity &&
    quantity.unit === undefined &&
    Number.isInteger(quantity.value) &&
    quantity.value > 0 &&
    quantity.value <= limits.step_items_max
    ? quantity
    : undefined;
}

const directed = (sign: 1 | -1): Direction => (sign === 1 ? 'desc' : 'asc');

/** Of times, the oldest are the least. */
const directionFor = (field: NamedField, { dimension, sign }: Superlative): Direction =>
  dimension === 'age' && isDated(field) ? (sign === 1 ? 'asc' : 'desc') : directed(sign);

/** The field that an adjective is about. */
export function fieldFor(
  reading: Reading,
  { dimension }: Pick<Superlative, 'dimension'>,
): NamedField | undefined {
  const { fields, types, tests } = reading;
  if (dimension !== 'age') {
    const amounts = fields.filter(isAmount);
    return dimensionField(dimension, fields) ?? (dimension === 'size' ? only(amounts) : undefined);
  }
  const age = fields.filter((field) => isAmount(field) && field.words.includes('age'));
  const asked = fields.filter(
    (field) =>
      isDated(field) && tests.some(({ where }) => JSON.stringify(where).includes(JSON.stringify(field.name))),
  );
  const dated = fields.filter((field) => isDated(field) && field.path !== 'updated_at' && field !== CREATED);
  return (
    only(asked) ??
    only(age) ??
    only(fields.filter(isBirth)) ??
    datedField(fields, types) ??
    (dated.length === 0 ? fields.find((field) => field === CREATED) : undefined)
  );
}

/** A superlative of one thing asks for one record. */
function oneUnlessMany(reading: Reading, at: number): void {
  if (reading.limit !== null) return;
  const typeLength = reading.typesAt.get(at);
  const next = typeLength === undefined ? '' : wordAt(reading, at + typeLength - 1);
  const isOne =
    next !== ''
      ? isOneOf(reading, at + (typeLength ?? 1) - 1)
      : reading.isOne || (reading.typesAt.size === 0 && isSingular(wordAt(reading, at)));
  if (isOne) reading.limit = 1;
}

/** Whether "highest price" asks for the number: before any type, and not as part of the name of what follows. */
function measureOp(
  reading: Reading,
  i: number,
  { sign, dimension }: Superlative,
  end: number,
): Measure['op'] | undefined {
  const typed = [...reading.typesAt.keys()].some((at) => at < i);
  const about =
    end >= reading.tokens.length ||
    /^(of|for|per|by|in|across|among|at|and|,|\?|\.|from|with)$/.test(wordAt(reading, end));
  const isMost = /^(most|least)$/.test(wordAt(reading, i));
  const isOfRecords = typed || reading.count || reading.tests.length > 0 || reading.shown.length > 0;
  if (isOfRecords || isMost || !about || dimension === 'age' || reading.mention) return undefined;
  return sign === 1 ? 'max' : 'min';
}

/** "was founded first", "the first order", "the last visit". */
function readFirst(reading: Reading, i: number): number {
  const word = wordAt(reading, i);
  if (!/^(first|last|latest|earliest)$/.test(word) || reading.tokens[i]?.use !== null) return 0;
  const direction = word === 'first' || word === 'earliest' ? 'asc' : 'desc';
  if ((fieldAt(reading.tokens, i, reading.fields)?.length ?? 0) > 1) return 0;
  if (spanAt(reading.tokens, i, reading.today)) return 0;
  const open = only(reading.mention?.fields.filter(isDated) ?? []);
  const next = fieldAt(reading.tokens, i + 1, reading.fields, isDated);
  const field =
    open ??
    only(next?.fields ?? []) ??
    (reading.typesAt.has(i + 1) ? datedField(reading.fields, reading.types) : undefined);
  if (!field) return 0;
  const length = open || !next?.fields.includes(field) ? 0 : next.length;
  use(reading, i + 1, length, 'field');
  sortBy(reading, field, direction);
  oneUnlessMany(reading, i + 1 + length);
  return use(reading, i, 1, 'order') + length;
}

// What a question orders, limits, measures and counts, of its clauses.
import { fieldsOfWhere, type Measure, type Period } from '#contract/conditions.ts';
import {
  type Direction,
  type GroupSize,
  type Leave,
  type Placed,
  type PlacedAs,
  partsOf,
  type Rank,
} from './clause.ts';
import { fieldAt, isAmount, isCategory, isDated, isFlag, isText, type NamedField } from './names.ts';
import { directionFor, fieldFor } from './orders.ts';
import { shorter } from './periods.ts';
import { ARTICLES, isOneOf, past, type Text, wordAt } from './text.ts';
import { isSingular } from './tokens.ts';

/** What is ordered, measured and grouped. */
export interface Order {
  sort: { field: NamedField; direction: Direction }[];
  limit: number | null;
  size: GroupSize | null;
  /** "top", "most": an order whose field is not named with it. */
  rank: { direction: Direction; dimension: string | null; isTop: boolean } | null;
  measures: { op: Measure['op']; field: NamedField }[];
  groups: NamedField[];
  /** Whether one period is asked for. */
  isOnePeriod: boolean;
  /** Of the groups those by time: the period, or null for years. */
  times: Map<NamedField, Period | null>;
  count: boolean;
  howMuch: boolean;
  shown: PlacedAs<'shown'>[];
  /** Whether an adjective alone gave the order. */
  isCountOrder: boolean;
  isEach: boolean;
  ranks: PlacedAs<'rank'>[];
  ordering: Placed[];
  measuring: Placed[];
}

/** What the clauses order, limit, measure and count. */
export function orderOf(
  text: Text,
  clauses: readonly Placed[],
  tests: readonly PlacedAs<'test'>[],
  leave: Leave,
): Order {
  const order: Order = {
    ...{ sort: [], limit: null, rank: null, measures: [], groups: [], count: false, howMuch: false },
    times: new Map(),
    shown: partsOf(clauses, 'shown'),
    ...{ size: null, isCountOrder: false, isEach: false, isOnePeriod: false },
    ranks: partsOf(clauses, 'rank'),
    ordering: clauses.filter(({ part }) => /^(rank|sort|direction|limit)$/.test(part.is)),
    measuring: clauses.filter(({ part }) => /^(measures|count|how much)$/.test(part.is)),
  };
  for (const { part } of partsOf(clauses, 'measures')) order.measures.push(...part.measures);
  for (const { part } of partsOf(clauses, 'count')) {
    order.count = true;
    if (part.field) order.groups.push(part.field);
  }
  order.howMuch = partsOf(clauses, 'how much').length > 0;
  for (const { part } of partsOf(clauses, 'limit')) order.limit ??= part.limit;
  for (const one of partsOf(clauses, 'size')) addSize(order, one, leave);
  for (const { part } of partsOf(clauses, 'sort')) order.sort.push(...part.sorts);
  for (const one of partsOf(clauses, 'rank')) addRank(text, order, one, { clauses, tests, leave });
  for (const one of partsOf(clauses, 'direction')) addDirection(order, one);
  for (const one of partsOf(clauses, 'by')) addBy(text, order, one);
  resolveRank(text, order, clauses, leave);
  return order;
}

/** "cities with at least 3 companies" are groups; "at most 5 companies" alone are so few of them. */
function addSize(order: Order, placed: PlacedAs<'size'>, leave: Leave): void {
  const { size } = placed.part;
  const head = order.shown.find(({ at, part }) => at < placed.at && isCategory(part.field) && !part.isOne);
  const isGrouped = head !== undefined && order.shown.length === 1 && order.size === null;
  if (isGrouped && order.measures.length === 0 && !order.count) {
    order.size = size;
    order.groups.push(head.part.field);
  } else if (size.op === '<=' && order.limit === null && size.value > 0) order.limit = size.value;
  else leave(placed);
}

interface Surroundings {
  clauses: readonly Placed[];
  tests: readonly PlacedAs<'test'>[];
  leave: Leave;
}

function addRank(text: Text, order: Order, placed: PlacedAs<'rank'>, around: Surroundings): void {
  const { part } = placed;
  if (part.limit !== null) order.limit = part.limit;
  const pending = {
    direction: part.direction,
    dimension: part.isGeneral ? part.dimension : null,
    isTop: part.isGeneral,
  };
  if (part.countsRecords) {
    order.count = true;
    order.rank = { ...pending, dimension: null };
    if (!part.field) return;
    order.groups.push(part.field);
    if (part.limit === null && isOneOf(text, placed.end - 1)) order.limit ??= 1;
    return;
  }
  if (part.measure && part.field) {
    order.measures.push({ op: part.measure, field: part.field });
    order.rank = { ...pending, dimension: null };
    return;
  }
  if (part.field && isAsNumber(text, order, placed, around)) {
    order.measures.push({ op: part.sign === 1 ? 'max' : 'min', field: part.field });
    return;
  }
  const field = part.field ?? fieldFor(text, part.dimension, fieldsOf(around.tests));
  const category = fieldAt(text.tokens, part.next, text.fields, isText);
  const isPending =
    !part.field && !part.isOrder && (part.isGeneral || (part.dimension !== 'age' && (category || !field)));
  // "the largest and the smallest": one order cannot have both.
  const others = partsOf(around.clauses, 'rank').filter(
    (one) => one.at < placed.at && !one.part.isGeneral && !part.isGeneral,
  );
  if (others.some((one) => one.part.sign !== part.sign)) {
    around.leave(placed);
    return;
  }
  if (isPending) {
    // "lowest rated films, top 3": in that order.
    if (order.sort.length === 0) order.rank ??= { ...pending, dimension: part.dimension };
    return;
  }
  if (!field) {
    around.leave(placed);
    return;
  }
  order.isCountOrder = part.isCount;
  sortBy(order, field, part.field ? part.direction : directionFor(field, part));
  if (!part.isOrder) oneUnlessMany(text, order, part);
}

const fieldsOf = (tests: readonly PlacedAs<'test'>[]): string[] =>
  tests.flatMap(({ part }) => fieldsOfWhere(part.where));

function sortBy(order: Order, field: NamedField, direction: Direction): void {
  const before = order.sort.find((one) => one.field === field);
  if (before) before.direction = direction;
  else order.sort.push({ field, direction });
}

/** A superlative of one thing asks for one record. */
function oneUnlessMany(text: Text, order: Order, { next }: Rank): void {
  if (order.limit !== null) return;
  const length = text.typesAt.get(next);
  const isOne =
    length === undefined
      ? isOneType(text) || (text.typesAt.size === 0 && isSingular(wordAt(text, next)))
      : isOneOf(text, next + length - 1);
  if (isOne) order.limit = 1;
}

function isOneType(text: Text): boolean {
  const [first] = text.typesAt;
  return first !== undefined && isOneOf(text, first[0] + first[1] - 1);
}

/** Whether "highest price" asks for the number: before any type, and not as part of the name of what follows. */
function isAsNumber(
  text: Text,
  order: Order,
  { at, end, part }: PlacedAs<'rank'>,
  { clauses, tests }: Surroundings,
): boolean {
  const isAbout =
    end >= text.tokens.length ||
    /^(of|for|per|by|in|across|among|at|and|,|\?|\.|from|with)$/.test(wordAt(text, end));
  const isBefore = (one: Placed) => one.at < at;
  const isOfRecords =
    clauses.some((one) => isBefore(one) && (one.part.is === 'type' || one.part.is === 'shown')) ||
    order.count ||
    tests.some(isBefore);
  return (
    isAbout &&
    !isOfRecords &&
    !part.isCount &&
    !part.isOrder &&
    part.dimension !== 'age' &&
    part.limit === null
  );
}

/** "price descending", "in ascending order". */
function addDirection(order: Order, { at, part: { direction } }: PlacedAs<'direction'>): void {
  const [last] = order.sort.slice(-1);
  const open = order.shown.find(({ end }) => end === at);
  if (last) last.direction = direction;
  else if (open) {
    sortBy(order, open.part.field, direction);
    order.shown = order.shown.filter((one) => one !== open);
  } else order.rank = { direction, dimension: null, isTop: false };
}

function addBy(text: Text, order: Order, placed: PlacedAs<'by'>): void {
  const { fields, times, isPer, isLong } = placed.part;
  for (const { field, period } of times) {
    const before = order.times.get(field);
    order.times.set(field, before === undefined ? period : shorter(before, period));
  }
  const [first] = fields;
  // A number of all records has no order: by a field it is a number for each of its values.
  const isOneNumber =
    (order.measures.length > 0 || order.count) && order.rank === null && order.sort.length === 0;
  // "top 5 by name" are the first of the alphabet, no groups of one.
  const isOrdered =
    first !== undefined &&
    (isAmount(first) || isDated(first) || (order.rank !== null && first.path === 'name'));
  if (isPer) order.isEach = true;
  if (placed.part.isOne) order.isOnePeriod = true;
  if (!isPer && isOrdered && !isOneNumber) {
    orderBy(text, order, first);
    order.ordering.push(placed);
    return;
  }
  const isGrouped =
    isPer ||
    order.count ||
    order.groups.length > 0 ||
    order.measures.length > 0 ||
    order.ranks.length > 0 ||
    order.howMuch ||
    isLong ||
    isOfKinds(text, order, placed) ||
    order.shown.some(({ part }) => isAmount(part.field));
  if (isGrouped) order.groups.push(...fields.filter((field) => !order.groups.includes(field)));
  else for (const field of fields) order.sort.push({ field, direction: 'asc' });
}

/** With more values, a list in their order is as likely to be meant. */
const FEW_VALUES = 20;

const hasFewValues = (field: NamedField) =>
  isCategory(field) && (isFlag(field) || (field.distinct_texts ?? Number.POSITIVE_INFINITY) <= FEW_VALUES);

/** "Tickets by status": the records by their kinds, where no verb asks for a list of them. */
function isOfKinds(text: Text, { shown, sort, limit }: Order, { at, part }: PlacedAs<'by'>): boolean {
  const [first] = [...text.typesAt].toSorted(([left], [right]) => left - right);
  if (!first || shown.length > 0 || sort.length > 0 || limit !== null) return false;
  const [typeAt, length] = first;
  const isHead = past(text, 0, ARTICLES) === typeAt && typeAt + length === at;
  return isHead && part.fields.every(hasFewValues);
}

/** "top 5 by price", "largest town by area", "top 5 cities by revenue". */
function orderBy(text: Text, order: Order, field: NamedField): void {
  const head = order.shown.find(({ part }) => isCategory(part.field));
  const { rank } = order;
  if (rank && head) {
    order.measures.push({ op: 'sum', field });
    return;
  }
  const [adjective] = rank ? [] : order.sort.slice(-1);
  if (adjective) adjective.field = field;
  else {
    const direction = rank?.direction ?? 'desc';
    const flipped = direction === 'desc' ? 'asc' : 'desc';
    order.sort.push({ field, direction: isAmount(field) || isDated(field) ? direction : flipped });
  }
  if (rank && order.limit === null && isOneType(text)) order.limit = 1;
  order.rank = null;
}

/** Gives "top" and "most" their field: the one that it was ordered by, or the one that ratings are in. */
function resolveRank(text: Text, order: Order, clauses: readonly Placed[], leave: Leave): void {
  const { rank } = order;
  if (!rank || order.measures.length > 0 || order.count) return;
  const [sorted] = order.sort;
  const field = sorted || rank.dimension === null ? undefined : fieldFor(text, rank.dimension, []);
  if (sorted) sorted.direction = rank.direction;
  if (field) order.sort.push({ field, direction: rank.direction });
  if (!sorted && !field) for (const { part } of partsOf(clauses, 'rank')) leave(part.said);
  if (field && order.limit === null && isOneType(text)) order.limit = 1;
}

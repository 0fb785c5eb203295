// What a query asks for: its clauses, put together.
import { type FieldSort, type Measure, Where } from '#contract/conditions.ts';
import type { DescribedSource } from '#contract/live-sources.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { Parsed, Placed } from './chart.ts';
import type { Direction, GroupSize, Joint, Part, Rank } from './clause.ts';
import { BROAD, MEASURE_NAMES } from './lexicon.ts';
import {
  fieldAt,
  hasNumbers,
  isAmount,
  isCategory,
  isDated,
  isText,
  type NamedField,
  only,
} from './names.ts';
import { directionFor, fieldFor } from './orders.ts';
import { isFiller, isOneOf, type Text, wordAt } from './text.ts';
import { isSingular, nounOf, wordsLeft } from './tokens.ts';
import type { Wishes } from './wishes.ts';

/** What a query asks for. */
export interface Question {
  types: string[];
  /** Records that it names, where they are not values of others. */
  names: ModelItem[];
  /** The types of the records that are to be related to them. */
  related: string[];
  where: Where | null;
  sort: FieldSort[];
  /** How many records or groups are requested; null for all. */
  limit: number | null;
  /** Requested instead of records. */
  groups: { group_by: string[]; measures: Measure[] } | null;
  /** How many records each of these groups has; null for any number. */
  size: GroupSize | null;
  wishes: Wishes;
  /** The live source that is asked, and the word that its items must have; null when records are. */
  live: { source: DescribedSource; word: string | null } | null;
  /** Words of the notes that are asked for; null when records are. */
  notes: string | null;
  /** The words that say something which is in no part of this, as written, in order. */
  not_understood: string[];
  /** What the query means as well, where nothing says which of the two; null where something does. */
  rival: Question | null;
  /** Whether it names types. */
  isTyped: boolean;
  /** Whether more is understood than names, places and other bare values. */
  says: boolean;
  /** Whether it asks for everything. */
  isBroad: boolean;
}

const MEASURE_NAME_MAX_CHARACTERS = 100;

interface Around {
  query: string;
  related: string[];
  wishes: Wishes;
  isTyped: boolean;
  /** Whether records are asked for by name. */
  isOfNames: boolean;
  /** Whether notes may be read. */
  readsNotes: boolean;
}

type PlacedAs<K extends Part['is']> = Placed & { part: Extract<Part, { is: K }> };

function partsOf<K extends Part['is']>(clauses: readonly Placed[], is: K): PlacedAs<K>[] {
  return clauses.filter((one): one is PlacedAs<K> => one.part.is === is);
}

/** The clauses, put together. */
export function questionOf(text: Text, parsed: Parsed, around: Around): Question {
  const { query, wishes, isTyped, isOfNames } = around;
  const { clauses } = parsed;
  const left = new Set(parsed.left);
  const leave = (placed: Pick<Placed, 'at' | 'end'>) => {
    for (let at = placed.at; at < placed.end; at++) left.add(at);
  };
  const tests = testsOf(text, clauses, left, leave);
  const order = orderOf(text, clauses, tests, leave);
  const names = partsOf(clauses, 'name').flatMap(({ part }) => part.item ?? []);
  const groups = isOfNames && order.measures.length === 0 ? null : groupsOf(text, order, tests, leave);
  const isDropped = groups !== null && dropsOrder(text, order, groups);
  // Without a type nothing is selected or ordered.
  const isNothing = text.types.length === 0 && !isOfNames;
  if (isDropped) for (const one of order.ordering) leave(one);
  if (isNothing) for (const one of [...order.ordering, ...order.measuring, ...tests]) leave(one);
  const { where, other } = conditionsOf(clauses, tests, leave);
  const sound = where === null || Where.safeParse(where).success;
  const notes = isTyped || !around.readsNotes ? null : notesOf(text);
  const unread = notes === null ? [...left].filter((at) => !isFiller(text, at)).sort((a, b) => a - b) : [];
  const said = wordsLeft(
    query,
    unread.flatMap((at) => text.tokens[at] ?? []),
  );
  const not_understood = said.filter((word) => /[\p{L}\p{N}]/u.test(word));
  const named: Where | null =
    names.length > 0 && (groups || tests.length > 0)
      ? { field: 'name', op: 'in', value: [...new Set(names.map(({ name }) => name))].slice(0, 100) }
      : null;
  const says =
    isTyped ||
    notes !== null ||
    // "How many tickets were sold?" where there are none: the number of all records is no part of an answer.
    (groups !== null && (text.types.length > 0 || not_understood.length === 0)) ||
    order.sort.length > 0 ||
    order.limit !== null ||
    tests.some(({ part }) => !part.bare) ||
    // The name of a field alone does not make sense of the words around it.
    (order.shown.length > 0 && not_understood.length === 0);
  const question: Question = {
    types: [...text.types],
    names: [...new Set(names)],
    related: around.related,
    where: sound ? both(both(where, named), groups ? sizeable(order) : rankable(order)) : null,
    sort: groups ? groups.sort : sortOf(order),
    limit: groups && groups.group_by.length === 0 ? null : order.limit,
    groups: groups && { group_by: groups.group_by, measures: groups.measures },
    size: order.size,
    wishes,
    live: null,
    rival: null,
    notes,
    not_understood: sound
      ? not_understood
      : text.tokens.filter(({ kind }) => kind === 'word' || kind === 'number').map((one) => one.text),
    isTyped,
    says: says && sound,
    isBroad: text.tokens.some(({ word }) => BROAD.has(word)),
  };
  return { ...question, rival: other && sound ? { ...question, where: both(other, named) } : null };
}

const both = (left: Where | null, right: Where | null): Where | null =>
  left && right ? { and: [left, right] } : (left ?? right);

type Leave = (placed: Pick<Placed, 'at' | 'end'>) => void;

/** The conditions; one whose field is not named only where no word near it may be that name. */
function testsOf(
  text: Text,
  clauses: readonly Placed[],
  left: ReadonlySet<number>,
  leave: Leave,
): PlacedAs<'test'>[] {
  const isLeftNear = ({ at, end }: Placed) => {
    let before = at - 1;
    while (before > 0 && isFiller(text, before)) before -= 1;
    return left.has(before) || left.has(end);
  };
  return partsOf(clauses, 'test').filter((one) => {
    const isDropped = one.part.isGuess === true && isLeftNear(one);
    if (isDropped) leave(one);
    return !isDropped;
  });
}

/** Conditions that are joined, in each way that the text can be read. */
interface Conditions {
  where: Where | null;
  /** "in Kiel, insured or with 8 berths": what "or" separates may also be all that stands before and after it. */
  other: Where | null;
}

/** All tests together: what "or" joins holds in one part or the other. */
function conditionsOf(
  clauses: readonly Placed[],
  tests: readonly PlacedAs<'test'>[],
  leave: Leave,
): Conditions {
  const jointOf = (i: number): Joint | undefined => {
    const [before, test] = [tests[i - 1], tests[i]];
    if (!before || !test) return undefined;
    const between = partsOf(clauses, 'joint').filter(({ at }) => at >= before.end && at < test.at);
    return between.at(-1)?.part.joint;
  };
  const joints = tests.map((_, i) => jointOf(i));
  const near: PlacedAs<'test'>[][] = [];
  const far: PlacedAs<'test'>[][][] = [[]];
  tests.forEach((test, i) => {
    const { alternative } = test.part;
    const isSame =
      joints[i] !== undefined && alternative !== undefined && alternative === tests[i - 1]?.part.alternative;
    const last = near.at(-1);
    // "A, B or C": the commas before an "or" are alternatives as well; "in 2010 and in 2011": no record is of both.
    const isListed = joints[i] === ',' && joints.slice(i + 1).find((one) => one !== ',') === 'or';
    const isOr = last !== undefined && (joints[i] === 'or' || isListed || isSame);
    if (isOr) last.push(test);
    else near.push([test]);
    if (isOr && !isSame && !isListed) far.push([[test]]);
    else if (isOr) far.at(-1)?.at(-1)?.push(test);
    else far.at(-1)?.push([test]);
  });
  const possible = near.filter((part, i) => !isSecondOf(part, near.slice(0, i)) || leaveAll(part, leave));
  const where = allOf(possible.map(eitherOf));
  const separate = far.flatMap((part) => allOf(part.map(eitherOf)) ?? []);
  const other = far.length > 1 && near.length > 1 ? (only(separate) ?? { or: separate }) : null;
  return { where, other };
}

const allOf = (all: Where[]): Where | null => (all.length === 0 ? null : (only(all) ?? { and: all }));
function eitherOf(part: readonly PlacedAs<'test'>[]): Where {
  const all = part.map(({ part: { where } }) => joined(where));
  return only(all) ?? { or: all };
}

/** "sloops in Kiel and ketches in Brest": no record is in both. */
function isSecondOf([test]: readonly PlacedAs<'test'>[], before: readonly PlacedAs<'test'>[][]): boolean {
  const alternative = test?.part.alternative;
  return alternative !== undefined && before.some(([one]) => one?.part.alternative === alternative);
}

function leaveAll(part: readonly PlacedAs<'test'>[], leave: Leave): false {
  for (const one of part) leave(one);
  return false;
}

/** Several values of a field as one `in`. */
function joined(where: Where): Where {
  if ('not' in where) return { not: joined(where.not) };
  if (!('or' in where)) return where;
  const flat = where.or.flatMap((one) => ('or' in one ? one.or : [one]));
  const byField = Map.groupBy(flat, (one) => ('op' in one && one.op === '=' ? one.field : ''));
  const parts = [...byField].flatMap(([field, same]): Where[] => {
    const values = [...new Set(same.flatMap((one) => ('op' in one && one.op === '=' ? [one.value] : [])))];
    const [value] = values;
    if (field === '' || value === undefined) return same;
    return [values.length === 1 ? { field, op: '=', value } : { field, op: 'in', value: values }];
  });
  return only(parts) ?? { or: parts };
}

/** What is ordered, measured and grouped. */
interface Order {
  sort: { field: NamedField; direction: Direction }[];
  limit: number | null;
  size: GroupSize | null;
  /** "top", "most": an order whose field is not named with it. */
  rank: { direction: Direction; dimension: string | null; isTop: boolean } | null;
  measures: { op: Measure['op']; field: NamedField }[];
  groups: NamedField[];
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

function orderOf(
  text: Text,
  clauses: readonly Placed[],
  tests: readonly PlacedAs<'test'>[],
  leave: Leave,
): Order {
  const order: Order = {
    ...{ sort: [], limit: null, rank: null, measures: [], groups: [], count: false, howMuch: false },
    shown: partsOf(clauses, 'shown'),
    ...{ size: null, isCountOrder: false, isEach: false },
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
  sortBy(
    order,
    field,
    part.field && part.dimension !== 'age'
      ? part.direction
      : part.field
        ? part.direction
        : directionFor(field, part),
  );
  if (!part.isOrder) oneUnlessMany(text, order, part);
}

const fieldsOf = (tests: readonly PlacedAs<'test'>[]): string[] =>
  tests.flatMap(({ part }) =>
    [...JSON.stringify(part.where).matchAll(/"field":"((?:[^"\\]|\\.)*)"/g)].map(([, name = '']) => name),
  );

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
  const { fields, isPer, isLong } = placed.part;
  const [first] = fields;
  // A number of all records has no order: by a field it is a number for each of its values.
  const isOneNumber = order.measures.length > 0 && order.rank === null && order.sort.length === 0;
  // "top 5 by name" are the first of the alphabet, no groups of one.
  const isOrdered =
    first !== undefined &&
    (isAmount(first) || isDated(first) || (order.rank !== null && first.path === 'name'));
  if (isPer) order.isEach = true;
  if (!isPer && isOrdered && !isOneNumber) {
    orderBy(text, order, first);
    order.ordering.push(placed);
    return;
  }
  const isGrouped =
    isPer ||
    order.count ||
    order.measures.length > 0 ||
    order.ranks.length > 0 ||
    order.howMuch ||
    isLong ||
    order.shown.some(({ part }) => isAmount(part.field));
  if (isGrouped) order.groups.push(...fields.filter((field) => !order.groups.includes(field)));
  else for (const field of fields) order.sort.push({ field, direction: 'asc' });
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

/** "the average of the top 5", "the oldest in each city": no plan says which come first, so the words are named. */
function dropsOrder(text: Text, order: Order, { group_by }: Groups): boolean {
  const isRanked = order.limit !== null || order.rank !== null || order.sort.length > 0;
  if (group_by.length === 0) return order.measures.length > 0 && isRanked;
  const isBestOfEach =
    order.groups.length > 0 &&
    order.measures.length === 0 &&
    !order.count &&
    (order.rank !== null || order.sort.length > 0);
  // "top 5 things by name" are groups in their order.
  const isTop = order.rank?.isTop === true && /^(top|bottom)$/.test(topWord(text));
  return isBestOfEach && (!isTop || order.isEach);
}

const topWord = (text: Text) =>
  text.tokens.find(({ word }) => /^(top|bottom|best|worst)$/.test(word))?.word ?? '';

/** Records without a value are no group of a size: they are in no city. */
function sizeable({ size, groups: [field] }: Order): Where | null {
  if (!size || !field) return null;
  return both({ field: field.name, op: 'exists', value: true }, { field: field.name, op: '!=', value: '' });
}

/** Of a field with other values too, only the numbers are ranked. */
function rankable({ limit, sort }: Order): Where | null {
  const [first] = sort;
  const isRanked = limit !== null || first?.direction === 'desc';
  if (!isRanked || !first || !hasNumbers(first.field) || first.field.kinds.length === 1) return null;
  return { field: first.field.name, op: '>=', value: -Number.MAX_VALUE };
}

interface Groups {
  group_by: string[];
  measures: Measure[];
  sort: FieldSort[];
}

/** What is asked to be grouped and measured, as far as it goes. */
function groupingOf(text: Text, order: Order, tests: readonly Placed[], leave: Leave) {
  const { count, groups, rank } = order;
  const heads = order.shown.filter(({ part }) => isCategory(part.field));
  const amounts = order.shown.filter(({ part }) => isAmount(part.field));
  const measures = [...order.measures];
  if (groups.length > 0 || order.howMuch)
    measures.push(...amounts.map(({ part }) => ({ op: 'sum' as const, field: part.field })));
  const isRanked = rank !== null && (measures.length > 0 || count);
  const [head] = heads;
  const group_by = [...groups];
  if (isRanked && group_by.length === 0 && head) {
    group_by.push(head.part.field);
    if (order.limit === null && head.part.isOne) order.limit = 1;
  }
  // "Which category has the highest price?", "category with the highest price": the one with the record that has it.
  const [sorted] = order.sort;
  const isBest =
    head &&
    (head.part.isAsked || head.part.isOne) &&
    text.typesAt.size === 0 &&
    measures.length === 0 &&
    !count;
  if (isBest && sorted && isAmount(sorted.field)) {
    const extreme = sorted.direction === 'desc' ? 'max' : 'min';
    const op = sorted.field.words.includes('average') ? 'avg' : order.isCountOrder ? 'sum' : extreme;
    group_by.push(head.part.field);
    measures.push({ op, field: sorted.field });
    if (head.part.isOne) order.limit = 1;
  }
  // "Which cities have customers?", "List the categories": the values of a field are asked for.
  const isAboutValues =
    head &&
    !isRanked &&
    order.shown.length === 1 &&
    (head.part.isAsked || (text.typesAt.size === 0 && tests.length === 0));
  if (isAboutValues && group_by.length === 0 && measures.length === 0 && !head.part.isOne)
    group_by.push(head.part.field);
  // "Which region has the best wines?" is no question about single wines.
  const isHeadOfOrder =
    head?.part.isAsked === true &&
    text.typesAt.size > 0 &&
    sorted !== undefined &&
    !isRanked &&
    group_by.length === 0;
  if (isHeadOfOrder) leave(head);
  return { head, group_by, measures, isRanked };
}

/** The groups that are asked for instead of records; null when records are. */
function groupsOf(text: Text, order: Order, tests: readonly Placed[], leave: Leave): Groups | null {
  const { count, rank } = order;
  const { head, group_by, measures, isRanked } = groupingOf(text, order, tests, leave);
  const asksForNumber = count && (order.shown.length === 0 || group_by.length > 0 || isRanked);
  if (group_by.length === 0 && measures.length === 0 && !asksForNumber) return null;
  // A list of records is asked for as well: the number is that of its rows.
  const isList = order.shown.some(({ part }) => !isAmount(part.field) && part.field !== head?.part.field);
  if (group_by.length === 0 && measures.length > 0 && isList) {
    for (const one of order.measuring) leave(one);
    return null;
  }
  const named = group_by.map(({ name }) => name);
  const measured = measures.map(({ op, field }) => ({
    as: `${MEASURE_NAMES[op]}_${field.path}`.slice(0, MEASURE_NAME_MAX_CHARACTERS),
    op,
    field: field.name,
  }));
  const isCounted = count || measures.length === 0;
  const all = uniqueNames(
    [...measured, ...(isCounted ? [COUNT] : [])].map((measure) => measureOf(measure, named)),
  );
  const [first] = all;
  // "most companies": of what, is not said.
  if (rank && named.length === 0) for (const { part } of order.ranks) leave(part.said);
  const sort = first && named.length > 0 ? sortOfGroups(order, named, all) : [];
  if (!rank && named.length > 0 && sort.length < order.sort.length)
    for (const one of order.ordering) leave(one);
  return {
    group_by: named.slice(0, 3),
    measures: all.slice(0, 10),
    sort,
  };
}

/** The order of groups: by their first measure, or by the fields that they are grouped by. */
function sortOfGroups(
  { rank, sort }: Order,
  group_by: readonly string[],
  measures: readonly Measure[],
): FieldSort[] {
  const [first] = measures;
  if (rank) return first ? [{ field: first.as, direction: rank.direction }] : [];
  return sort.flatMap(({ field, direction }) => {
    if (group_by.includes(field.name)) return [{ field: field.name, direction }];
    const measure = measures.find((one) => one.field === field.name);
    return measure ? [{ field: measure.as, direction }] : [];
  });
}

const COUNT: Measure = { as: 'count', op: 'count' };

const measureOf = (measure: Measure, grouped: string[]): Measure =>
  grouped.includes(measure.as) ? { ...measure, as: `${measure.as}_of_records` } : measure;

const uniqueNames = (measures: Measure[]) => [
  ...new Map(measures.map((measure) => [measure.as, measure])).values(),
];

/** The order of records. */
const sortOf = ({ sort }: Order): FieldSort[] =>
  [
    ...new Map(sort.map(({ field, direction }) => [field.name, { field: field.name, direction }])).values(),
  ].slice(0, 3);

/** What is asked of notes, which have no fields: their words, whatever these mean of records. */
function notesOf(text: Text): string | null {
  const isNote = (i: number) => nounOf(wordAt(text, i)) === 'note';
  if (!text.tokens.some((_, i) => isNote(i))) return null;
  return text.tokens
    .filter((_, i) => !isFiller(text, i) && !isNote(i))
    .map((token) => token.text)
    .join(' ');
}

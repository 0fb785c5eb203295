// The groups and numbers that a question asks for instead of records.
import {
  type FieldSort,
  fieldsOfWhere,
  type GroupField,
  type Measure,
  type Where,
} from '#contract/conditions.ts';
import type { Leave, PlacedAs } from './clause.ts';
import { MEASURE_NAMES } from './lexicon.ts';
import { hasNumbers, isAmount, isCategory, type NamedField } from './names.ts';
import type { Order } from './ordering.ts';
import type { Text } from './text.ts';

const MEASURE_NAME_MAX_CHARACTERS = 100;

/** "the average of the top 5", "the oldest in each city": no plan says which come first, so the words are named. */
export function dropsOrder(text: Text, order: Order, { group_by }: Groups): boolean {
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
export function sizeable({ size, groups: [field] }: Order): Where | null {
  if (!size || !field) return null;
  return {
    and: [
      { field: field.name, op: 'exists', value: true },
      { field: field.name, op: '!=', value: '' },
    ],
  };
}

/** Of a field with other values too, only the numbers are ranked. */
export function rankable({ limit, sort }: Order): Where | null {
  const [first] = sort;
  const isRanked = limit !== null || first?.direction === 'desc';
  if (!isRanked || !first || !hasNumbers(first.field) || first.field.kinds.length === 1) return null;
  return { field: first.field.name, op: '>=', value: -Number.MAX_VALUE };
}

interface Groups {
  group_by: GroupField[];
  measures: Measure[];
  sort: FieldSort[];
}

const COMPARING = /^(compare|compared|comparing|comparison|versus|vs)$/i;

/** The field whose values are compared: the one of which several are named. */
function comparedField(text: Text, tests: readonly PlacedAs<'test'>[]): NamedField | undefined {
  if (!text.tokens.some((token) => COMPARING.test(token.text))) return undefined;
  const named = tests.flatMap(({ part: { where } }) =>
    'op' in where && where.op === '=' ? [where.field] : [],
  );
  const several = tests.flatMap(({ part: { where } }) =>
    'or' in where || ('op' in where && where.op === 'in') ? fieldsOfWhere(where) : [],
  );
  const repeated = named.filter((field, i) => named.indexOf(field) !== i);
  const [name, ...others] = new Set([...several, ...repeated]);
  return others.length === 0 ? text.fields.find((field) => field.name === name) : undefined;
}

/** What is asked to be grouped and measured, as far as it goes. */
function groupingOf(text: Text, order: Order, tests: readonly PlacedAs<'test'>[], leave: Leave) {
  const { count, groups, rank } = order;
  const heads = order.shown.filter(({ part }) => isCategory(part.field));
  const amounts = order.shown.filter(({ part }) => isAmount(part.field));
  const measures = [...order.measures];
  if (groups.length > 0 || order.howMuch)
    measures.push(...amounts.map(({ part }) => ({ op: 'sum' as const, field: part.field })));
  const isRanked = rank !== null && (measures.length > 0 || count);
  const [head] = heads;
  const group_by = [...groups];
  if (isRanked && order.isOnePeriod) order.limit ??= 1;
  if (isRanked && group_by.length === 0 && head) {
    group_by.push(head.part.field);
    if (order.limit === null && head.part.isOne) order.limit = 1;
  }
  // "Compare laptops and phones by total amount": a number for each of the values.
  const compared = group_by.length === 0 && measures.length > 0 ? comparedField(text, tests) : undefined;
  if (compared) group_by.push(compared);
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
export function groupsOf(
  text: Text,
  order: Order,
  tests: readonly PlacedAs<'test'>[],
  leave: Leave,
): Groups | null {
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
    // In the manner of the field's own name: `average_price`, `average Amount (EUR)`.
    as: `${MEASURE_NAMES[op]}${/[^a-z0-9_.]/.test(field.path) ? ' ' : '_'}${field.path}`.slice(
      0,
      MEASURE_NAME_MAX_CHARACTERS,
    ),
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
  // Times in their order, where none is asked for.
  const inTime = rank || sort.length > 0 ? [] : group_by.filter((field) => order.times.has(field));
  if (!rank && named.length > 0 && sort.length < order.sort.length)
    for (const one of order.ordering) leave(one);
  return {
    group_by: group_by.slice(0, 3).map((field) => {
      const period = order.times.get(field);
      return period ? { field: field.name, by: period } : field.name;
    }),
    measures: all.slice(0, 10),
    sort: [...sort, ...inTime.map(({ name: field }) => ({ field, direction: 'asc' as const }))],
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
export const sortOf = ({ sort }: Order): FieldSort[] =>
  [
    ...new Map(sort.map(({ field, direction }) => [field.name, { field: field.name, direction }])).values(),
  ].slice(0, 3);

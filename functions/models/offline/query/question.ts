// What a query asks for: what was read of it, put together.
import { type FieldSort, type Measure, Where } from '#contract/conditions.ts';
import type { DescribedSource } from '#contract/live-sources.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import { BROAD, MEASURE_NAMES } from './lexicon.ts';
import { hasNumbers, isAmount, isCategory, only } from './names.ts';
import { fieldFor } from './orders.ts';
import { isFiller, type Reading, type Test, use } from './reading.ts';
import { nounOf, type Token, type Use, unusedWords } from './tokens.ts';
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
  wishes: Wishes;
  /** The live source that is asked, and the word that its items must have; null when records are. */
  live: { source: DescribedSource; word: string | null } | null;
  /** Words of the notes that are asked for; null when records are. */
  notes: string | null;
  /** The words that say something which is in no part of this, as written, in order. */
  not_understood: string[];
  /** Whether more is understood than names, places and other bare values. */
  says: boolean;
  /** Whether it asks for everything. */
  isBroad: boolean;
}

const MEASURE_NAME_MAX_CHARACTERS = 100;

interface Around {
  query: string;
  names: ModelItem[];
  related: string[];
  wishes: Wishes;
  isTyped: boolean;
  /** Whether notes may be read. */
  readsNotes: boolean;
}

/** What was read, put together. */
export function questionOf(
  reading: Reading,
  { query, names, related, wishes, isTyped, readsNotes }: Around,
): Question {
  resolveRank(reading);
  const groups = names.length > 0 && reading.measures.length === 0 ? null : groupsOf(reading);
  if (groups) dropOrder(reading, groups);
  // Without a type nothing is selected or ordered.
  if (reading.types.length === 0 && names.length === 0)
    unread(reading, ['order', 'limit', 'measure', 'date', 'number']);
  const where = conditionOf(reading.tests);
  const sound = where === null || Where.safeParse(where).success;
  const notes = isTyped || !readsNotes ? null : notesOf(reading.tokens);
  const not_understood = unusedWords(query, reading.tokens, isFiller).filter((word) =>
    /[\p{L}\p{N}]/u.test(word),
  );
  const named: Where | null =
    names.length > 0 && (groups || reading.tests.length > 0)
      ? { field: 'name', op: 'in', value: [...new Set(names.map(({ name }) => name))].slice(0, 100) }
      : null;
  const says =
    isTyped ||
    notes !== null ||
    // "How many tickets were sold?" where there are none: the number of all records is no part of an answer.
    (groups !== null && (reading.types.length > 0 || not_understood.length === 0)) ||
    reading.sort.length > 0 ||
    reading.limit !== null ||
    reading.tests.some(({ bare }) => !bare) ||
    // The name of a field alone does not make sense of the words around it.
    (reading.shown.length > 0 && not_understood.length === 0);
  return {
    types: [...reading.types],
    names,
    related,
    where: sound ? both(both(where, named), groups ? null : rankable(reading)) : null,
    sort: groups ? groups.sort : sortOf(reading),
    limit: groups && groups.group_by.length === 0 ? null : reading.limit,
    groups: groups && { group_by: groups.group_by, measures: groups.measures },
    wishes,
    live: null,
    notes,
    not_understood: sound
      ? not_understood
      : reading.tokens.filter(({ kind }) => kind !== 'sign').map(({ text }) => text),
    says: says && sound,
    isBroad: reading.tokens.some(({ word }) => BROAD.has(word)),
  };
}

/** "the average of the top 5", "the oldest in each city": no plan says which come first, so the words are named. */
function dropOrder(reading: Reading, { group_by }: Groups): void {
  const isOfFirst =
    group_by.length === 0 &&
    reading.measures.length > 0 &&
    (reading.limit !== null || reading.rank !== null || reading.sort.length > 0);
  // "top 5 things by name" are groups in their order.
  const isTop = reading.rank !== null && /^(top|bottom)$/.test(reading.tokens[reading.rank.at]?.word ?? '');
  const isEach = !isTop || reading.tokens.some(({ word }) => /^(each|every|per)$/.test(word));
  const isBestOfEach =
    isEach &&
    reading.groups.length > 0 &&
    reading.measures.length === 0 &&
    !reading.count &&
    (reading.rank !== null || reading.sort.length > 0);
  if (!isOfFirst && !isBestOfEach) return;
  unread(reading, ['order', 'limit']);
}

/** The words that were read as one of these are named after all. */
function unread({ tokens }: Reading, uses: readonly Use[]): void {
  for (const token of tokens) if (token.use !== null && uses.includes(token.use)) token.use = null;
}

const both = (left: Where | null, right: Where | null): Where | null =>
  left && right ? { and: [left, right] } : (left ?? right);

/** Of a field with other values too, only the numbers are ranked. */
function rankable({ limit, sort }: Reading): Where | null {
  const [first] = sort;
  const isRanked = limit !== null || first?.direction === 'desc';
  if (!isRanked || !first || !hasNumbers(first.field) || first.field.kinds.length === 1) return null;
  return { field: first.field.name, op: '>=', value: -Number.MAX_VALUE };
}

/** Gives "top" and "most" their field: the one that it was ordered by, or the one that ratings are in. */
function resolveRank(reading: Reading): void {
  const { rank } = reading;
  if (!rank || reading.measures.length > 0 || reading.count) {
    if (rank) use(reading, rank.at, rank.length, 'order');
    return;
  }
  const [sorted] = reading.sort;
  const field =
    sorted || rank.dimension === null ? undefined : fieldFor(reading, { dimension: rank.dimension });
  if (sorted) sorted.direction = rank.direction;
  if (field) reading.sort.push({ field, direction: rank.direction });
  if (sorted || field) use(reading, rank.at, rank.length, 'order');
  if (field && reading.limit === null && reading.isOne) reading.limit = 1;
}

interface Groups {
  group_by: string[];
  measures: Measure[];
  sort: FieldSort[];
}

/** What is asked to be grouped and measured, as far as it goes. */
function groupingOf(reading: Reading) {
  const { count, groups, rank } = reading;
  const heads = reading.shown.filter(({ field }) => isCategory(field));
  const amounts = reading.shown.filter(({ field }) => isAmount(field));
  const measures = [...reading.measures];
  if (groups.length > 0 || reading.howMuch)
    measures.push(...amounts.map(({ field }) => ({ op: 'sum' as const, field })));
  const isRanked = rank !== null && (measures.length > 0 || count);
  const [head] = heads;
  const group_by = [...groups];
  if (isRanked && group_by.length === 0 && head) {
    group_by.push(head.field);
    if (reading.limit === null && head.one) reading.limit = 1;
  }
  // "Which category has the highest price?": the one with the record that has it.
  const [sorted] = reading.sort;
  const isBest = head?.asked === true && reading.typesAt.size === 0 && measures.length === 0 && !count;
  if (isBest && sorted && isAmount(sorted.field)) {
    const isSum = reading.adjective?.isCount === true;
    const op = sorted.field.words.includes('average')
      ? 'avg'
      : isSum
        ? 'sum'
        : sorted.direction === 'desc'
          ? 'max'
          : 'min';
    group_by.push(head.field);
    measures.push({ op, field: sorted.field });
    if (head.one) reading.limit = 1;
  }
  // "Which cities have customers?", "List the categories": the values of a field are asked for.
  const isAboutValues =
    head &&
    !isRanked &&
    (head.asked || (reading.typesAt.size === 0 && reading.tests.length === 0)) &&
    reading.shown.length === 1;
  if (isAboutValues && group_by.length === 0 && measures.length === 0 && !head.one) group_by.push(head.field);
  // "Which region has the best wines?" is no question about single wines.
  const isHeadOfOrder =
    head?.asked === true &&
    reading.typesAt.size > 0 &&
    sorted !== undefined &&
    !isRanked &&
    group_by.length === 0;
  if (isHeadOfOrder)
    for (const token of reading.tokens.slice(head.at, head.at + head.length)) token.use = null;
  return { head, group_by, measures, isRanked };
}

/** The groups that are asked for instead of records; null when records are. */
function groupsOf(reading: Reading): Groups | null {
  const { count, rank } = reading;
  const { head, group_by, measures, isRanked } = groupingOf(reading);
  const asksForNumber = count && (reading.shown.length === 0 || group_by.length > 0 || isRanked);
  if (group_by.length === 0 && measures.length === 0 && !asksForNumber) return null;
  // A list of records is asked for as well: the number is that of its rows.
  if (
    group_by.length === 0 &&
    measures.length > 0 &&
    reading.shown.some(({ field }) => !isAmount(field) && field !== head?.field)
  ) {
    unread(reading, ['measure']);
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
  const direction = rank?.direction ?? reading.sort.find(({ field }) => hasNumbers(field))?.direction;
  return {
    group_by: named.slice(0, 3),
    measures: all.slice(0, 10),
    sort: direction && first && named.length > 0 ? [{ field: first.as, direction }] : [],
  };
}

const COUNT: Measure = { as: 'count', op: 'count' };

const measureOf = (measure: Measure, grouped: string[]): Measure =>
  grouped.includes(measure.as) ? { ...measure, as: `${measure.as}_of_records` } : measure;

const uniqueNames = (measures: Measure[]) => [
  ...new Map(measures.map((measure) => [measure.as, measure])).values(),
];

/** The order of records. */
function sortOf({ sort }: Reading): FieldSort[] {
  return [
    ...new Map(sort.map(({ field, direction }) => [field.name, { field: field.name, direction }])).values(),
  ].slice(0, 3);
}

/** All tests together: what "or" joins holds in one part or the other. */
function conditionOf(tests: readonly Test[]): Where | null {
  const parts: Where[][] = [];
  tests.forEach((test, i) => {
    const where = test.negated ? { not: joined(test.where) } : joined(test.where);
    const joint = test.joint === ',' && leadsToOr(tests, i) ? 'or' : test.joint;
    const last = parts.at(-1);
    if (joint === 'or' && last) last.push(where);
    else parts.push([where]);
  });
  const all = parts.map((part): Where => only(part) ?? { or: part });
  return all.length === 0 ? null : (only(all) ?? { and: all });
}

/** "A, B or C": the commas before an "or" are alternatives as well. */
function leadsToOr(tests: readonly Test[], i: number): boolean {
  const next = tests.slice(i + 1).find(({ joint }) => joint !== ',');
  return next?.joint === 'or';
}

/** Several values of a field as one `in`. */
function joined(where: Where): Where {
  if (!('or' in where)) return where;
  const byField = Map.groupBy(where.or, (one) => ('op' in one && one.op === '=' ? one.field : ''));
  const parts = [...byField].flatMap(([field, same]): Where[] => {
    const values = [...new Set(same.flatMap((one) => ('op' in one && one.op === '=' ? [one.value] : [])))];
    const [value] = values;
    if (field === '' || value === undefined) return same;
    return [values.length === 1 ? { field, op: '=', value } : { field, op: 'in', value: values }];
  });
  return only(parts) ?? { or: parts };
}

/** What is asked of notes, which have no fields: their words, whatever these mean of records. */
function notesOf(tokens: readonly Token[]): string | null {
  if (!tokens.some(({ word }) => nounOf(word) === 'note')) return null;
  const telling = tokens.filter((token) => !isFiller(token) && nounOf(token.word) !== 'note');
  for (const token of tokens) token.use = 'wish';
  return telling.map(({ text }) => text).join(' ');
}

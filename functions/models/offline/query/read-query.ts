// A query over records in exact terms, and the words that none of them says.
import { type FieldSort, fieldsOfWhere, type Measure, nameOfPath, Where } from '#contract/conditions.ts';
import type { Outline } from '#contract/record-queries.ts';
import type { KnownWorkspace, ModelItem } from '#models/tasks/task.ts';
import { wordsOf } from '#platform/words.ts';
import { humanName } from '../items.ts';
import { isTypeName, typeOf } from '../vocabulary.ts';
import {
  readComparison,
  readNegation,
  readNumber,
  readOutOf,
  readPresence,
  readText,
  readTime,
  readUnknownText,
  readValue,
  timeFollows,
  valueAt,
} from './comparisons.ts';
import { readCount, readGroup, readMeasure } from './group-words.ts';
import { BROAD, FILLERS, HAPPENED, MEASURE_NAMES, SITUATED } from './lexicon.ts';
import {
  fieldAt,
  fieldsOf,
  hasNumbers,
  isAmount,
  isCategory,
  type NamedField,
  only,
  type TypeMention,
  typeMentions,
} from './names.ts';
import { fieldFor, readOrder } from './orders.ts';
import {
  closeMention,
  isFiller,
  isOneOf,
  type KnownValue,
  past,
  type Reading,
  readField,
  type Test,
  use,
  wordAt,
} from './reading.ts';
import { isQuoted, nounOf, type Token, tokensOf, unusedWords } from './tokens.ts';
import { markWishes, type Wishes } from './wishes.ts';

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
  /** Words of the notes that are asked for; null when records are. */
  notes: string | null;
  /** The words that say something which is in no part of this, as written, in order. */
  not_understood: string[];
  /** Whether more is understood than names, places and other bare values. */
  says: boolean;
  /** Whether it asks for everything. */
  isBroad: boolean;
}

export interface Asked extends KnownWorkspace {
  query: string;
}

/** What another record type than the first named costs, in words that stay unused. */
const OTHER_TYPE = 0.9;
/** What a type that is not named at all costs where others are. */
const UNNAMED_TYPE = 1.2;
/** What conditions cost that no record can meet, because no type has all of their fields. */
const NO_TYPE = 100;
const TYPES_TRIED = 12;
/** More words are not read: they are named. */
const TOKENS_READ_MAX = 300;
/** In a text this long a few are. */
const LONG_TOKENS = 100;
const TYPES_TRIED_OF_LONG = 2;
/** Fields of every record, which are no sign of a type. */
const ATTRIBUTES_MAX = 3;
const MEASURE_NAME_MAX_CHARACTERS = 100;

/** Reads a query without triggers: for the types it names, or for those that explain the most of its words. */
export function readQuery(asked: Asked): Question {
  const all = tokensOf(asked.query);
  const tokens = all.slice(0, TOKENS_READ_MAX);
  const mentions = typeMentions(tokens, asked.shape);
  const wishes = markWishes(asked.query, tokens);
  const guesses = guessesOf(asked, tokens, mentions, wishes);
  const read = guesses.map(({ types, names, cost }) => {
    const question = readFor(types, names, asked, mentions, wishes);
    const unmet = isMetByNone(question, asked.shape) ? NO_TYPE : 0;
    return { question, cost: question.not_understood.length + cost + unmet };
  });
  const best = read.toSorted((left, right) => left.cost - right.cost)[0]?.question;
  const question = best ?? readFor([], [], asked, mentions, wishes);
  const unread = unusedWords(asked.query, all.slice(TOKENS_READ_MAX), isFiller);
  return { ...question, not_understood: [...question.not_understood, ...unread] };
}

/** "Which carnivores ate hay?" over animals and meals: each condition holds for one type, both for none. */
function isMetByNone({ types, where }: Question, shape: Outline): boolean {
  if (types.length < 2 || where === null || !('and' in where)) return false;
  const conditions = where.and.map(fieldsOfWhere);
  return !types.some((type) => {
    const known = new Set(fieldsOf(shape, [type]).map(({ path }) => nameOfPath(path)));
    return conditions.every((fields) => fields.some((field) => known.has(field)));
  });
}

interface Guess {
  types: string[];
  names: ModelItem[];
  cost: number;
}

function guessesOf(
  { shape, values, candidates }: Asked,
  tokens: readonly Token[],
  mentions: TypeMention[],
  wishes: Wishes,
): Guess[] {
  // "How many employees does Acme have?" asks for a number that the record may hold.
  const isCountOfField = (i: number) =>
    mentions[i]?.literal === false && tokens[(mentions[i]?.at ?? 0) - 1]?.word === 'many';
  const named = mentions.map(({ types }, i) => ({
    types: [...new Set([...types, ...listedAfter(tokens, mentions, i)])],
    names: [],
    cost: isCountOfField(i)
      ? 0.2
      : i === 0
        ? 0
        : mentions[0]?.literal === false && mentions[i]?.literal
          ? 0.5
          : OTHER_TYPE,
  }));
  const most = tokens.length > LONG_TOKENS ? TYPES_TRIED_OF_LONG : TYPES_TRIED;
  const given =
    candidates.length > 0
      ? [{ types: [...new Set(candidates.map(({ type }) => type))], names: candidates }]
      : [];
  const isAboutPeople = !wishes.discover && tokens.some(({ word }) => word === 'who' || SITUATED.has(word));
  const common = tokens.find(({ word }) => isTypeName(nounOf(word)));
  const conventional = common ? [{ types: [typeOf(nounOf(common.word))], names: [], cost: 0.4 }] : [];
  const holding = values.flatMap(({ types }) => types);
  const people = shape.types.map(({ type }) => type).filter((type) => typeOf(nounOf(type)) === 'person');
  const implied = shape.types.flatMap(({ type }) => {
    const fields = fieldsOf(shape, [type]).slice(0, -ATTRIBUTES_MAX);
    const by = new Set(tokens.map((_, i) => fieldAt(tokens, i, fields)?.by));
    if (!holding.includes(type) && !by.has('name') && !by.has('part') && !by.has('synonym')) return [];
    const cost = isAboutPeople && people.includes(type) ? 0.1 : 0.3;
    return [{ types: [type], names: [], cost: cost - (by.has('name') ? 0.1 : 0) }];
  });
  if (named.length > 0) {
    const others = implied.filter(({ types }) => !named.some((one) => one.types.includes(types[0] ?? '')));
    return [
      ...named.slice(0, most),
      ...given.map((one) => ({
        ...one,
        cost: wishes.discover ? -1 : mentions.some((_, i) => isCountOfField(i)) ? 0.1 : 0.7,
      })),
      ...others.slice(0, most).map((one) => ({ ...one, cost: one.cost + UNNAMED_TYPE })),
    ];
  }
  const together = holding.length > 1 ? [{ types: [...new Set(holding)], names: [], cost: 0.25 }] : [];
  return [
    ...given.map((one) => ({ ...one, cost: isAboutPeople ? 0.25 : 0 })),
    ...implied.slice(0, most),
    ...together,
    ...conventional,
  ];
}

/** "companies and people": the types that are only listed after the one at `i`. */
function listedAfter(tokens: readonly Token[], mentions: TypeMention[], i: number): string[] {
  const [mention, next] = [mentions[i], mentions[i + 1]];
  if (!mention || !next) return [];
  const between = tokens.slice(mention.at + mention.length, next.at);
  const isList = between.length > 0 && between.every(({ word }) => /^(and|or|,|&|all|the|our)$/.test(word));
  return isList ? [...next.types, ...listedAfter(tokens, mentions, i + 1)] : [];
}

const RULES: readonly ((reading: Reading, i: number) => number)[] = [
  readComparison,
  readText,
  readUnknownText,
  readMultiWord,
  readOrder,
  readCount,
  readMeasure,
  readTime,
  readGroup,
  readOutOf,
  readNegation,
  readPresence,
  readDatedVerb,
  readVerbOfValue,

  readValue,
  readType,
  readField,
  readNumber,
  readJoint,
  readFiller,
];

function readFor(
  types: string[],
  names: ModelItem[],
  asked: Asked,
  mentions: TypeMention[],
  wishes: Wishes,
): Question {
  const { query, shape } = asked;
  const tokens = wishes.tokens.map((token) => ({ ...token }));
  const own = mentions.filter(
    (mention) => mention.types.some((type) => types.includes(type)) && !wishes.covers(mention.at),
  );
  const fields = fieldsOf(shape, types);
  const [first] = own;
  const reading: Reading = {
    tokens,
    types,
    fields,
    values: Map.groupBy(valuesFor(asked, types, fields, names), ({ nouns }) => nouns[0] ?? ''),
    typesAt: new Map(own.map(({ at, length }) => [at, length])),
    today: Date.parse(asked.today),
    tests: [],
    mention: null,
    hints: [],
    negation: null,
    joint: '',
    sort: [],
    limit: null,
    rank: null,
    isOne: first !== undefined && isOneOf({ tokens }, first.at + first.length - 1),
    count: false,
    howMuch: false,
    measures: [],
    groups: [],
    shown: [],
  };
  for (let i = 0; i < tokens.length; ) i += stepAt(reading, i);
  closeMention(reading);
  const isName = names.length > 0;
  const found = isName ? namedIn(tokens, names) : [];
  const related = isName && wishes.discover ? mentions.flatMap((mention) => mention.types) : [];
  if (related.length > 0) for (const { at, length } of mentions) use(reading, at, length, 'type');
  if (!isName) for (const token of tokens) if (token.use === 'relation') token.use = null;
  const common =
    types.length === 1 && own.length === 0 && !isName ? markConventional(tokens, types[0] ?? '') : false;
  return questionOf(reading, {
    query,
    names: found,
    related,
    wishes,
    isTyped: own.length > 0 || common,
  });
}

function stepAt(reading: Reading, i: number): number {
  if (reading.tokens[i]?.use) return 1;
  for (const rule of RULES) {
    const length = rule(reading, i);
    if (length > 0) return length;
  }
  return 1;
}

/** The values that the text mentions, of these types; those of the record's own name too. */
function valuesFor(
  { shape, values, candidates }: Asked,
  types: string[],
  fields: readonly NamedField[],
  names: ModelItem[],
): KnownValue[] {
  const fieldWords = new Set(fields.flatMap(({ words }) => words));
  const typeWords = new Set(shape.types.flatMap(({ type }) => humanName(type).split(' ').map(nounOf)));
  const known = (path: string, value: string, field = nameOfPath(path)): KnownValue => {
    const nouns = tokensOf(value)
      .filter(({ kind }) => kind !== 'sign')
      .map(({ word }) => nounOf(word));
    const plain = nouns.every(
      (noun, i) =>
        fieldWords.has(noun) ||
        typeWords.has(noun) ||
        FILLERS.has(noun) ||
        SITUATED.has(noun) ||
        (nouns.length === 1 && i === 0 && /^\d+$/.test(noun)),
    );
    return { path, field, value, nouns, plain };
  };
  const own = values.filter((value) => value.types.some((type) => types.includes(type)));
  const records = names.length > 0 ? [] : candidates.filter(({ type }) => types.includes(type));
  return [
    ...own.map(({ path, value }) => known(path, value)),
    ...[...new Set(records.map(({ name }) => name))].map((name) => known('name', name, 'name')),
  ].filter(({ nouns }) => nouns.length > 0);
}

/** The records named in the text; their names, and what distinguishes them, are used. */
function namedIn(tokens: Token[], names: ModelItem[]): ModelItem[] {
  const found = names.filter((item) => mark(tokens, item.name, 'name'));
  for (const item of found)
    for (const value of Object.values(item.fields))
      if (typeof value === 'string' && value.length <= 100) mark(tokens, value, 'value');
  return found;
}

function mark(tokens: Token[], text: string, as: 'name' | 'value'): boolean {
  const words = wordsOf(text);
  let marked = false;
  for (let i = 0; words.length > 0 && i + words.length <= tokens.length; i++) {
    const run = tokens
      .slice(i)
      .filter(({ kind }) => kind !== 'sign')
      .slice(0, words.length);
    if (
      run.length < words.length ||
      !run.every(
        ({ word, use: used }, k) =>
          wordsOf(word).join() === words[k] && (used === null || used === 'filler' || used === as),
      )
    )
      continue;
    if (as === 'value' && run.every((token) => isFiller(token))) continue;
    for (const token of run) token.use = as;
    marked = true;
  }
  return marked;
}

/** "companies" in a workspace that has none: a type all the same. */
function markConventional(tokens: Token[], type: string): boolean {
  const said = tokens.filter(
    ({ word, use: used }) => used === null && isTypeName(nounOf(word)) && typeOf(nounOf(word)) === type,
  );
  for (const token of said) token.use = 'type';
  return said.length > 0;
}

/** A value or field of several words wins over the meaning of the first of them. */
function readMultiWord(reading: Reading, i: number): number {
  const token = reading.tokens[i];
  const value = valueAt(reading, i)?.length ?? 0;
  if (isQuoted(token) && value > 0) return readValue(reading, i);
  const field = fieldAt(reading.tokens, i, reading.fields);
  const named = field?.by === 'name' && token && isFiller(token) ? field.length : 0;
  if (value > 1 && value >= named) return readValue(reading, i);
  return named > 1 && field && !field.fields.every(({ words }) => words.length === 1)
    ? readField(reading, i)
    : 0;
}

/** "shipped" in "shipped in 2025" is the field of that time, though a status may be called so. */
function readDatedVerb(reading: Reading, i: number): number {
  const named = fieldAt(reading.tokens, i, reading.fields, ({ dated }) => dated !== null);
  const field = only(named?.fields ?? []);
  if (!named || !field || reading.typesAt.has(i)) return 0;
  if (!timeFollows(reading, i + named.length)) return 0;
  closeMention(reading);
  reading.mention = { ...named, at: i, owned: false };
  return named.length;
}

/** "shipped" in "shipped express to Norway" leads to the values of its fields, though a status may be called so. */
function readVerbOfValue(reading: Reading, i: number): number {
  const named = fieldAt(reading.tokens, i, reading.fields);
  if (!named || (named.by !== 'stem' && named.by !== 'synonym') || reading.typesAt.has(i)) return 0;
  const next = valueAt(reading, past(reading, i + named.length, LEADING));
  if (!next?.values.some(({ path }) => named.fields.some((field) => field.path === path))) return 0;
  closeMention(reading);
  reading.hints = named.fields;
  return use(reading, i, named.length, 'field');
}

const LEADING = new Set([
  'by',
  'in',
  'to',
  'from',
  'with',
  'as',
  'at',
  'on',
  'for',
  'the',
  'a',
  'an',
  'via',
  'of',
]);

function readType(reading: Reading, i: number): number {
  const length = reading.typesAt.get(i);
  if (length === undefined) return 0;
  closeMention(reading);
  return use(reading, i, length, 'type');
}

const ALSO = /^(and|&|plus|also|but)$/;

function readJoint(reading: Reading, i: number): number {
  const word = wordAt(reading, i);
  const joint =
    word === 'or' || word === '/'
      ? 'or'
      : word === ',' || word === ';'
        ? ','
        : ALSO.test(word)
          ? 'and'
          : undefined;
  if (joint === undefined) {
    if (!/^[.?!\n]$/.test(word)) return 0;
    closeMention(reading);
    reading.negation = null;
    return use(reading, i, 1, 'filler');
  }
  closeMention(reading);
  // "Oslo, and Rome": the last of several joints counts.
  reading.joint = joint;
  return use(reading, i, 1, joint === 'or' ? 'operator' : 'filler');
}

function readFiller(reading: Reading, i: number): number {
  const token = reading.tokens[i];
  if (!token) return 1;
  if (isFiller(token)) return use(reading, i, 1, 'filler');
  const isPlaced = SITUATED.has(token.word) || HAPPENED.has(token.word);
  if (isPlaced && /^(in|at|from|for|to|near|there|here|as|on)$/.test(wordAt(reading, i + 1)))
    return use(reading, i, 1, 'filler');
  return 0;
}

interface Around {
  query: string;
  names: ModelItem[];
  related: string[];
  wishes: Wishes;
  isTyped: boolean;
}

/** What was read, put together. */
function questionOf(reading: Reading, { query, names, related, wishes, isTyped }: Around): Question {
  resolveRank(reading);
  const groups = names.length > 0 && reading.measures.length === 0 ? null : groupsOf(reading);
  const where = conditionOf(reading.tests);
  const sound = where === null || Where.safeParse(where).success;
  const notes = isTyped ? null : notesOf(reading.tokens);
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
    notes,
    not_understood: sound
      ? not_understood
      : reading.tokens.filter(({ kind }) => kind !== 'sign').map(({ text }) => text),
    says: says && sound,
    isBroad: reading.tokens.some(({ word }) => BROAD.has(word)),
  };
}

const both = (left: Where | null, right: Where | null): Where | null =>
  left && right ? { and: [left, right] } : (left ?? right);

/** Of a field with other values too, only the numbers are ranked. */
function rankable({ limit, sort }: Reading): Where | null {
  const [first] = sort;
  if (limit === null || !first || !hasNumbers(first.field) || first.field.kinds.length === 1) return null;
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

/** The groups that are asked for instead of records; null when records are. */
function groupsOf(reading: Reading): Groups | null {
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
    const op = sorted.field.words.includes('average') ? 'avg' : sorted.direction === 'desc' ? 'max' : 'min';
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
  const asksForNumber = count && (reading.shown.length === 0 || group_by.length > 0 || isRanked);
  if (group_by.length === 0 && measures.length === 0 && !asksForNumber) return null;
  // A list of records is asked for as well: the number is that of its rows.
  if (
    group_by.length === 0 &&
    measures.length > 0 &&
    reading.shown.some(({ field }) => !isAmount(field) && field !== head?.field)
  )
    return null;
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

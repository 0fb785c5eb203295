// A query over records in exact terms, and the words that none of them says.
import { fieldsOfWhere, nameOfPath } from '#contract/conditions.ts';
import type { Outline } from '#contract/record-queries.ts';
import type { KnownWorkspace, ModelItem } from '#models/tasks/model-task.ts';
import { shapeOfSource } from '#models/tasks/source-outline.ts';
import { fold, wordsOf } from '#platform/words.ts';
import { humanName } from '../items.ts';
import { isTypeName, typeOf } from '../vocabulary.ts';
import { FILLERS, SITUATED } from './lexicon.ts';
import { type NamedSource, namedSource } from './live-source.ts';
import { fieldAt, fieldsOf, type NamedField, type TypeMention, typeMentions } from './names.ts';
import { type Question, questionOf } from './question.ts';
import { closeMention, isFiller, isOneOf, type KnownValue, type Reading, use } from './reading.ts';
import { readAt } from './rules.ts';
import { nounOf, type Token, tokensOf, unusedWords } from './tokens.ts';
import { markWishes, type Wishes } from './wishes.ts';

export interface Asked extends KnownWorkspace {
  query: string;
}

/** What another record type than the first named costs, in words that stay unused. */
const OTHER_TYPE = 0.9;

/** What it costs more after "with": of "companies with people" the companies are asked for. */
const OWNED_TYPE = 0.3;

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

/** Reads a query without triggers: for the live source it names, else for records. */
export function readQuery(given: Asked): Question {
  // White space says nothing, and what follows looks at each of its characters more than once.
  const asked = { ...given, query: given.query.replace(/\s+/g, ' ').trim() };
  const live = namedSource(asked.query, asked.shape.sources ?? []);
  return live ? readForSource(asked, live) : readForRecords(asked);
}

/** Reads a query for the fields that a source describes; the values of its items are not known. */
function readForSource(asked: Asked, { source, rest }: NamedSource): Question {
  const inner = { ...asked, query: rest, shape: shapeOfSource(source), values: [], candidates: [] };
  const tokens = tokensOf(rest).slice(0, TOKENS_READ_MAX);
  const mentions = typeMentions(tokens, inner.shape);
  const question = readFor([source.entity_type], [], inner, mentions, markWishes(rest, tokens));
  // "the deals from crm": what its items are called.
  const called = question.not_understood.findIndex((word) => nounOf(fold(word)) !== fold(word));
  const others = question.not_understood.filter((_, i) => i !== called);
  const [word = null] = others.length === 1 ? others : [];
  return {
    ...question,
    live: { source, word },
    notes: null,
    says: true,
    not_understood: word === null ? others : [],
  };
}

/** Reads a query for the types it names, or for those that explain the most of its words. */
function readForRecords(asked: Asked): Question {
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
          : OTHER_TYPE + (tokens[(mentions[i]?.at ?? 0) - 1]?.word === 'with' ? OWNED_TYPE : 0),
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
    othersAt: new Set(
      mentions.filter((mention) => mention.literal && !own.includes(mention)).map(({ at }) => at),
    ),
    today: Date.parse(asked.today),
    tests: [],
    mention: null,
    hints: [],
    negation: null,
    joint: '',
    sort: [],
    limit: null,
    rank: null,
    adjective: null,
    compared: null,
    together: null,
    isOne: first !== undefined && isOneOf({ tokens }, first.at + first.length - 1),
    count: false,
    howMuch: false,
    measures: [],
    groups: [],
    shown: [],
  };
  for (let i = 0; i < tokens.length; ) i += readAt(reading, i);
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
    readsNotes: asked.other_sources?.includes('notes') ?? true,
  });
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
  // A script without spaces between words has the whole name in one token.
  const whole = tokens.filter(({ word, use: used }) => word === fold(text) && (used === null || used === as));
  for (const token of whole) token.use = as;
  let marked = whole.length > 0;
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

// A query over records in exact terms, and the words that none of them says.
import { fieldsOfWhere, nameOfPath } from '#contract/conditions.ts';
import type { Outline } from '#contract/record-queries.ts';
import { loadBearing } from '#models/load-bearing.ts';
import type { KnownWorkspace, ModelItem } from '#models/tasks/model-task.ts';
import { shapeOfSource } from '#models/tasks/source-outline.ts';
import { fold, wordsOf } from '#platform/words.ts';
import { humanName } from '../items.ts';
import { isTypeName, typeOf } from '../vocabulary.ts';
import { parse } from './chart.ts';
import { FILLERS, SITUATED } from './lexicon.ts';
import { type NamedSource, namedSource } from './live-source.ts';
import { fieldAt, fieldsOf, type NamedField, type TypeMention, typeMentions } from './names.ts';
import { type Question, questionOf } from './question.ts';
import { isFiller, type KnownValue, type Text } from './text.ts';
import { isCode, nounOf, type Token, tokensOf, wordsLeft } from './tokens.ts';
import { type Wishes, wishesOf } from './wishes.ts';

export interface Asked extends KnownWorkspace {
  query: string;
}

const SUBJECTS_TRIED = 12;

/** More words are not read: they are named. */
const TOKENS_READ_MAX = 300;

/** In a text this long fewer subjects are tried. */
const LONG_TOKENS = 100;

const SUBJECTS_TRIED_OF_LONG = 2;

/** Fields of every record, which are no sign of a type. */
const ATTRIBUTES_MAX = 3;

/** Reads a query without triggers: for the live source it names, else for records. */
export function readQuery(given: Asked): Question {
  // White space says nothing, and what follows looks at each of its characters more than once.
  const asked = { ...given, query: given.query.replace(/\s+/g, ' ').trim() };
  const live = namedSource(asked.query, asked.shape.sources ?? []);
  return live ? readForSource(asked, live) : readForRecords(asked);
}

/** The words of a query, before it is known what they are about. */
interface Said {
  asked: Asked;
  tokens: Token[];
  mentions: TypeMention[];
  wishes: Wishes;
}

function saidIn(asked: Asked): Said {
  const tokens = tokensOf(asked.query).slice(0, TOKENS_READ_MAX);
  const wishes = wishesOf(asked.query, tokens);
  return { asked, tokens, mentions: typeMentions(tokens, asked.shape), wishes };
}

/** Reads an instruction over items: about those of the types that it names, else about all of them. */
export function readOver(asked: Asked, valuesIn: (tokens: readonly Token[]) => KnownValue[]): Question {
  const said = saidIn(asked);
  const named = [...new Set(said.mentions.flatMap(({ types }) => types))];
  const types = named.length > 0 ? named : asked.shape.types.map(({ type }) => type);
  const question = readFor({ types, names: [] }, said, valuesIn(said.tokens));
  const { tokens } = said;
  const head = tokens.find((_, i) => !isFiller({ tokens }, i));
  // "Keep people": a type that no item has, though a field may be called so.
  const isOfOthers = named.length === 0 && question.where === null && isTypeName(nounOf(head?.word ?? ''));
  const others = isOfOthers && head ? [head.text] : [];
  return { ...question, not_understood: [...others, ...question.not_understood, ...beyondIn(asked.query)] };
}

/** Reads a query for the fields that a source describes; the values of its items are not known. */
function readForSource(asked: Asked, { source, rest }: NamedSource): Question {
  const inner = { ...asked, query: rest, shape: shapeOfSource(source), values: [], candidates: [] };
  const question = readFor({ types: [source.entity_type], names: [] }, saidIn(inner));
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

/** What a query may be about: records of types, or those that it names. */
interface Subject {
  types: string[];
  names: ModelItem[];
  /** It is not named, but has a field of a name that is said, or something like it: another such may be meant. */
  implied?: 'by name' | 'by likeness';
}

/** Reads a query about what leaves the fewest words: first of those that an answer depends on, then of all others. */
function readForRecords(asked: Asked): Question {
  const said = saidIn(asked);
  const types = asked.shape.types.map(({ type }) => type);
  const subjects = subjectsOf(said);
  const read = (subjects.length > 0 ? subjects : [{ types: [], names: [] }]).map((subject) => {
    const question = readFor(subject, said);
    const bearing = loadBearing(question.not_understood, types).length;
    return {
      question,
      implied: subject.implied,
      left: [Number(isMetByNone(question, asked.shape)), bearing, question.not_understood.length],
    };
  });
  const best = read.reduce((before, next) => (isFewer(next.left, before.left) ? next : before));
  const isRival = (one: (typeof read)[number]) =>
    one !== best && one.implied === best.implied && !isFewer(best.left, one.left);
  const rival = best.implied && best.question.says ? read.find(isRival) : undefined;
  return {
    ...best.question,
    rival: rival?.question ?? best.question.rival,
    not_understood: [...best.question.not_understood, ...beyondIn(asked.query)],
  };
}

/** The words that are too many to be read. */
function beyondIn(query: string): string[] {
  const tokens = tokensOf(query).slice(TOKENS_READ_MAX);
  return wordsLeft(
    query,
    tokens.filter((_, i) => !isFiller({ tokens }, i)),
  );
}

function isFewer(left: readonly number[], right: readonly number[]): boolean {
  const at = left.findIndex((one, i) => one !== right[i]);
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
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

/** What a query may be about: the types in the order of their names, records, types of the fields that it names. */
function subjectsOf(said: Said): Subject[] {
  const { asked, tokens, mentions, wishes } = said;
  const { candidates } = asked;
  const most = tokens.length > LONG_TOKENS ? SUBJECTS_TRIED_OF_LONG : SUBJECTS_TRIED;
  const named = mentions.map(({ types, at, literal }, i) => ({
    types: [...new Set([...types, ...listedAfter(tokens, mentions, i)])],
    names: [],
    literal,
    // "How many employees does Acme have?" asks for a number that the record may hold.
    isCounted: !literal && tokens[at - 1]?.word === 'many',
  }));
  const given =
    candidates.length > 0
      ? [{ types: [...new Set(candidates.map(({ type }) => type))], names: candidates }]
      : [];
  const implied = impliedIn(said);
  if (named.length > 0) {
    const others = implied.filter(({ types }) => !named.some((one) => one.types.includes(types[0] ?? '')));
    const isOfNames = wishes.discover || named.some(({ isCounted }) => isCounted);
    const first = named.slice(0, most).toSorted((a, b) => Number(a.isCounted) - Number(b.isCounted));
    return [...(isOfNames ? given : []), ...first, ...(isOfNames ? [] : given), ...others.slice(0, most)];
  }
  const common = tokens.find(({ word }) => isTypeName(nounOf(word)));
  const conventional = common ? [{ types: [typeOf(nounOf(common.word))], names: [] }] : [];
  const holding = [...new Set(asked.values.flatMap(({ types }) => types))];
  const together = holding.length > 1 ? [{ types: holding, names: [] }] : [];
  const isAboutPeople = !wishes.discover && tokens.some(({ word }) => word === 'who' || SITUATED.has(word));
  const people = isAboutPeople
    ? implied.filter(({ types }) => typeOf(nounOf(types[0] ?? '')) === 'person')
    : [];
  const [byName, others] = [
    implied.filter((one) => one.implied === 'by name'),
    implied.filter((one) => one.implied !== 'by name'),
  ];
  return [
    ...people,
    ...given,
    ...byName.slice(0, most),
    ...together,
    ...others.slice(0, most),
    ...conventional,
  ];
}

/** The types that have fields or values which the query mentions. */
function impliedIn({ asked: { shape, values }, tokens }: Said): Subject[] {
  const holding = new Set(values.flatMap(({ types }) => types));
  return shape.types.flatMap(({ type }) => {
    const fields = fieldsOf(shape, [type]).slice(0, -ATTRIBUTES_MAX);
    const by = new Set(tokens.map((_, i) => fieldAt(tokens, i, fields)?.by));
    const isMeant = holding.has(type) || by.has('name') || by.has('part') || by.has('synonym');
    return isMeant
      ? [
          {
            types: [type],
            names: [],
            implied: by.has('name') ? ('by name' as const) : ('by likeness' as const),
          },
        ]
      : [];
  });
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
  { types, names }: Subject,
  { asked, tokens: all, mentions, wishes }: Said,
  known?: readonly KnownValue[],
): Question {
  const { query, shape } = asked;
  const isOfNames = names.length > 0;
  const tokens = all.map((token, i) =>
    wishes.covers.has(i) || (isOfNames && wishes.relations.has(i))
      ? { ...token, kind: 'wish' as const, word: '' }
      : token,
  );
  const isOwn = (mention: TypeMention) => mention.types.some((type) => types.includes(type));
  const said = mentions.filter(({ at }) => !wishes.covers.has(at));
  const own = said.filter(isOwn);
  const isRelated = isOfNames && wishes.discover;
  const fields = fieldsOf(shape, types);
  const values = known ?? valuesFor(asked, types, fields, names);
  const text: Text = {
    tokens,
    types,
    known_types: shape.types.map(({ type }) => type),
    fields,
    values: Map.groupBy(values, ({ nouns }) => nouns[0] ?? ''),
    codes: new Set(values.map(({ value }) => value).filter(isCode)),
    typesAt: new Map((isRelated ? said : own).map(({ at, length }) => [at, length])),
    othersAt: new Set(said.filter((mention) => mention.literal && !isOwn(mention)).map(({ at }) => at)),
    namesAt: namesIn(tokens, names),
    today: Date.parse(asked.today),
  };
  const parsed = parse(text);
  // Where no record is named, nothing can be related to it.
  if (!isOfNames) for (const at of wishes.relations) parsed.left.add(at);
  const common =
    types.length === 1 && own.length === 0 && !isOfNames && isConventional(text, parsed.left, types[0] ?? '');
  return questionOf(text, parsed, {
    query,
    related: isRelated ? mentions.flatMap((mention) => mention.types) : [],
    wishes,
    isTyped: own.length > 0 || common,
    isOfNames,
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
  const isPlain = (noun: string) =>
    fieldWords.has(noun) || typeWords.has(noun) || FILLERS.has(noun) || SITUATED.has(noun);
  const known = (path: string, value: string, field = nameOfPath(path)): KnownValue => {
    const nouns = tokensOf(value)
      .filter(({ kind }) => kind !== 'sign')
      .map(({ word }) => nounOf(word));
    const plain = nouns.every((noun) => isPlain(noun) || (nouns.length === 1 && /^\d+$/.test(noun)));
    return { path, field, value, nouns, plain };
  };
  const own = values.filter((value) => value.types.some((type) => types.includes(type)));
  const records = names.length > 0 ? [] : candidates.filter(({ type }) => types.includes(type));
  return [
    ...own.map(({ path, value }) => known(path, value)),
    ...[...new Set(records.map(({ name }) => name))].map((name) => known('name', name, 'name')),
  ].filter(({ nouns }) => nouns.length > 0);
}

/** Where the records are named in the text, and what distinguishes them. */
function namesIn(tokens: readonly Token[], names: readonly ModelItem[]): Text['namesAt'] {
  const found = new Map<number, { end: number; item: ModelItem | null }[]>();
  const add = (said: string, item: ModelItem | null) => {
    for (const [at, end] of runsOf(tokens, said)) {
      const isAsking = item === null && tokens.slice(at, end).every((_, k) => isFiller({ tokens }, at + k));
      if (!isAsking) found.set(at, [...(found.get(at) ?? []), { end, item }]);
    }
  };
  for (const item of names) {
    add(item.name, item);
    for (const value of Object.values(item.fields))
      if (typeof value === 'string' && value.length <= 100) add(value, null);
  }
  return found;
}

/** Where the words of a name stand; a script without spaces between words has the whole name in one token. */
function runsOf(tokens: readonly Token[], name: string): [at: number, end: number][] {
  const words = wordsOf(name);
  const whole = tokens.flatMap(({ word }, at): [number, number][] =>
    word === fold(name) ? [[at, at + 1]] : [],
  );
  const runs = tokens.flatMap((_, at): [number, number][] => {
    let end = at;
    for (const said of words) {
      if (end > at) while (tokens[end]?.kind === 'sign') end += 1;
      if (wordsOf(tokens[end]?.word ?? '').join() !== said) return [];
      end += 1;
    }
    return words.length > 0 ? [[at, end]] : [];
  });
  return [...whole, ...runs];
}

/** "companies" in a workspace that has none: a type all the same, whose words are read. */
function isConventional({ tokens }: Text, left: Set<number>, type: string): boolean {
  const said = [...left].filter((at) => {
    const noun = nounOf(tokens[at]?.word ?? '');
    return isTypeName(noun) && typeOf(noun) === type;
  });
  for (const at of said) left.delete(at);
  return said.length > 0;
}

// The state of reading a query for records of some types: what is read so far, and what uses a token.
import type { Measure, Where } from '#contract/conditions.ts';
import { FILLERS, type Phrases } from './lexicon.ts';
import { type FieldMention, fieldAt, isAmount, isDated, isFlag, type NamedField, only } from './names.ts';
import { isQuoted, nounOf, type Token, type Use } from './tokens.ts';

/** A value of records in the words of a text. */
export interface KnownValue {
  path: string;
  /** The path as conditions name it, or an attribute of the record. */
  field: string;
  value: string;
  nouns: readonly string[];
  /** Whether the words may well not be a value: a number, a type, a field, a word about the asking. */
  plain: boolean;
}

/** How a condition goes on from the one before it. */
type Joint = '' | 'and' | 'or' | ',';

export interface Test {
  where: Where;
  negated: boolean;
  joint: Joint;
  /** The fields whose values it is about: the next value of one of them is an alternative. */
  paths: readonly string[];
  /** It is a place, a name or another value without a field. */
  bare: boolean;
  /** The field of which it says a period. */
  period?: string | undefined;
}

interface OpenMention extends FieldMention {
  at: number;
  /** "with" or "has" leads to it. */
  owned: boolean;
}

/** "top", "most", "cheapest": an order whose field is still to come. */
interface Rank {
  direction: 'asc' | 'desc';
  dimension: string | null;
  at: number;
  length: number;
}

export interface Reading {
  readonly tokens: Token[];
  readonly types: readonly string[];
  readonly fields: readonly NamedField[];
  /** By their first word in the singular. */
  readonly values: ReadonlyMap<string, readonly KnownValue[]>;
  /** Where the types are named, and over how many tokens. */
  readonly typesAt: ReadonlyMap<number, number>;
  /** Where other types are named. */
  readonly othersAt: ReadonlySet<number>;
  /** Epoch ms. */
  readonly today: number;
  tests: Test[];
  mention: OpenMention | null;
  /** The fields named last: a value that several fields have is theirs. */
  hints: NamedField[];
  negation: { kind: 'not' | 'without'; from: number; length: number } | null;
  joint: Joint;
  sort: { field: NamedField; direction: 'asc' | 'desc' }[];
  limit: number | null;
  rank: Rank | null;
  /** The order that an adjective alone gave, "smallest", until a field is named: "by area". */
  adjective: { index: number; sign: 1 | -1; isCount: boolean } | null;
  /** The number that was compared last, and where that ended: "over 30 but under 60" is about one field. */
  compared: { field: NamedField; end: number } | null;
  /** Fields that are compared together: "width and height over 300". */
  together: { fields: NamedField[]; joint: 'and' | 'or' } | null;
  /** One record is asked for. */
  isOne: boolean;
  count: boolean;
  howMuch: boolean;
  measures: { op: Measure['op']; field: NamedField }[];
  groups: NamedField[];
  /** Fields that are named and nothing else: to be shown, or the head of a group. */
  shown: { field: NamedField; at: number; length: number; one: boolean; asked: boolean }[];
}

/** Says what the tokens are read as, where nothing has said it; returns their number. */
export function use(reading: Pick<Reading, 'tokens'>, from: number, length: number, as: Use): number {
  for (const token of reading.tokens.slice(from, from + length)) token.use ??= as;
  return length;
}

/** The word at `i`; '' beyond the ends. */
export const wordAt = ({ tokens }: Pick<Reading, 'tokens'>, i: number): string => tokens[i]?.word ?? '';

/** The phrase that begins at `i`, longest first. */
export function phraseAt<T>(
  { tokens }: Pick<Reading, 'tokens'>,
  i: number,
  phrases: Phrases<T>,
): { meaning: T; length: number } | undefined {
  const found = phrases
    .get(tokens[i]?.word ?? '')
    ?.find(([words]) =>
      words.every(
        (word, k) => tokens[i + k]?.word === word && tokens[i + k]?.use === null && !isQuoted(tokens[i + k]),
      ),
    );
  return found && { meaning: found[1], length: found[0].length };
}

/** The first place from `i` on that is none of these words. */
export function past(reading: Pick<Reading, 'tokens'>, i: number, words: ReadonlySet<string>): number {
  let at = i;
  while (at < reading.tokens.length && words.has(wordAt(reading, at))) at += 1;
  return at;
}

/** Words that may stand before a name or an amount and add nothing. */
export const ARTICLES: ReadonlySet<string> = new Set([
  'the',
  'a',
  'an',
  'their',
  'its',
  'all',
  'any',
  'of',
  'his',
  'her',
]);

/** Adds a condition; it takes over the open negation and joint. */
export function addTest(
  reading: Reading,
  where: Where,
  { paths, bare = false, period }: { paths: readonly string[]; bare?: boolean; period?: string },
): void {
  const { negation, joint, tests } = reading;
  if (negation) use(reading, negation.from, negation.length, 'operator');
  const last = tests.at(-1);
  const isAlternative =
    last !== undefined &&
    joint !== '' &&
    negation === null &&
    last.paths.some((path) => paths.includes(path)) &&
    last.paths.length > 0;
  const isList = paths.some((path) =>
    reading.fields.find((field) => field.path === path)?.kinds.includes('list'),
  );
  if (
    isAlternative &&
    !(isList && joint === 'and') &&
    (bare === last.bare || joint === ',' || last.negated) &&
    isEquality(where) &&
    isEqualities(last.where)
  )
    last.where = { or: [...membersOf(last.where), where] };
  else
    tests.push({
      where,
      negated: negation !== null,
      joint: tests.length === 0 ? '' : joint,
      paths,
      bare,
      period,
    });
  reading.negation = null;
  reading.joint = '';
}

const isEquality = (where: Where) => ('op' in where && where.op === '=') || isEqualities(where);
const isEqualities = (where: Where): boolean =>
  membersOf(where).every((one) => 'op' in one && one.op === '=');
const membersOf = (where: Where): Where[] => ('or' in where ? where.or : [where]);

/** Marks a mention of a field as used. */
export function useMention(reading: Reading): void {
  const { mention } = reading;
  if (!mention) return;
  use(reading, mention.at, mention.length, 'field');
  reading.mention = null;
}

const AUXILIARIES = /^(been|be|was|were|is|are|have|has|had|not|never|yet|already|got|get)$/;

/** Ends a mention without an operator: presence after "with", absence after "without", else a field to be shown. */
export function closeMention(reading: Reading): void {
  const { mention, negation } = reading;
  if (!mention) return;
  const field = only(mention.fields);
  reading.mention = null;
  if (!field) return;
  const absent = negation?.kind === 'without';
  if (absent || mention.owned) {
    // Whether a list is empty is no condition.
    if ((negation && !absent) || field.kinds.includes('list')) return;
    use(reading, mention.at, mention.length, 'field');
    if (negation) use(reading, negation.from, negation.length, 'operator');
    reading.negation = null;
    addTest(reading, absent ? missing(field) : present(field), { paths: [] });
    return;
  }
  const isParticiple = /ed$|^born$|^paid$|^built$/.test(wordAt(reading, mention.at));
  const isVerb =
    mention.by === 'stem' ||
    (isParticiple && (mention.by === 'synonym' || AUXILIARIES.test(wordAt(reading, mention.at - 1))));
  // "never shipped", "paid": whether the field has its date.
  if (isVerb && isParticiple && isDated(field)) addTest(reading, exists(field), { paths: [] });
  // "people and their companies": a field of that name tells no more of the other type.
  else if (negation || isVerb || isOfOtherType(reading, mention)) return;
  else
    reading.shown.push({
      field,
      at: mention.at,
      length: mention.length,
      one: isOneOf(reading, mention.at + mention.length - 1),
      asked: /^(which|what|different|distinct|unique|various)$/.test(wordAt(reading, mention.at - 1)),
    });
  use(reading, mention.at, mention.length, 'field');
}

function isOfOtherType(reading: Reading, { at, length }: OpenMention): boolean {
  const [before, after] = [wordAt(reading, at - 1), wordAt(reading, at + length)];
  return (
    reading.othersAt.has(at) && (/^(their|its|his|her|with|at|of|and)$/.test(before) || after === 'with')
  );
}

/** Whether the word is a singular. */
export const isOneOf = (reading: Pick<Reading, 'tokens'>, i: number): boolean => {
  const word = wordAt(reading, i);
  return nounOf(word) === word;
};

/** Any value of the field. */
export const exists = ({ name }: NamedField): Where => ({ field: name, op: 'exists', value: true });

function present(field: NamedField): Where {
  const { name, low } = field;
  if (isFlag(field)) return { field: name, op: '=', value: true };
  // A number that may be zero is there when it is more.
  return isAmount(field) && low === 0 ? { field: name, op: '>', value: 0 } : exists(field);
}

function missing(field: NamedField): Where {
  const { name, low } = field;
  if (isFlag(field)) return { not: { field: name, op: '=', value: true } };
  const absent: Where = { not: exists(field) };
  return isAmount(field) && low === 0 ? { or: [{ field: name, op: '=', value: 0 }, absent] } : absent;
}

/** Reads the name of a field at `i`; a flag is a condition at once. */
export function readField(reading: Reading, i: number): number {
  const found = fieldAt(reading.tokens, i, reading.fields);
  // "their people": another type is no field that merely means the like.
  if (!found || (found.by === 'synonym' && reading.othersAt.has(i))) return 0;
  // "countries that border Germany": a verb between records, which no condition says.
  if (/^(that|which|who)$/.test(wordAt(reading, i - 1)) && isVerbOf(reading, i, found)) return 0;
  closeMention(reading);
  const field = only(found.fields);
  reading.hints = found.fields;
  if (field && isFlag(field) && field.kinds.length === 1) {
    use(reading, i, found.length, 'field');
    const rest = restOfFlag(reading, i + found.length, field, found.length);
    const length = found.length + rest + readTruth(reading, i + found.length + rest);
    addTest(reading, { field: field.name, op: '=', value: true }, { paths: [] });
    return length;
  }
  const before = wordAt(reading, beforeArticle(reading, i));
  const owned =
    /^(with|has|have|having|had|own|owns|including)$/.test(before) &&
    !/^(their|its|his|her)$/.test(wordAt(reading, i - 1));
  reading.mention = { ...found, at: i, owned };
  return found.length;
}

/** "pets are not allowed": the rest of the flag's name, and whether it is denied. */
function restOfFlag(reading: Reading, i: number, field: NamedField, said: number): number {
  if (field.core.length <= said) return 0;
  const be = past(reading, i, new Set(['are', 'is', 'be', 'been']));
  const denied = wordAt(reading, be) === 'not' ? 1 : 0;
  const at = be + denied;
  if (!field.words.includes(nounOf(wordAt(reading, at)))) return 0;
  use(reading, i, at + 1 - i, 'operator');
  if (denied > 0) reading.negation = reading.negation ? null : { kind: 'not', from: be, length: 1 };
  return at + 1 - i;
}

function isVerbOf(reading: Reading, i: number, { fields, length, by }: FieldMention): boolean {
  const [next, word] = [reading.tokens[i + length], wordAt(reading, i)];
  const isText = fields.every((field) => field.kinds.includes('text') || field.kinds.includes('list'));
  const isOwn = (reading.values.get(nounOf(next?.word ?? '')) ?? []).some(({ path }) =>
    fields.some((field) => field.path === path),
  );
  return (
    isText &&
    by !== 'synonym' &&
    length === 1 &&
    !/ed$/.test(word) &&
    /^\p{Lu}/u.test(next?.text ?? '') &&
    !isOwn
  );
}

function beforeArticle(reading: Reading, i: number): number {
  let at = i - 1;
  while (at > 0 && /^(a|an|the|any|some)$/.test(wordAt(reading, at))) at -= 1;
  return at;
}

/** "is true", "= no": what a flag is said to be. */
function readTruth(reading: Reading, i: number): number {
  const at = past(reading, i, new Set(['is', 'are', '=', '==', 'equals', 'set', 'to']));
  const word = wordAt(reading, at);
  const isTrue = /^(true|yes|on)$/.test(word);
  const isFalse = /^(false|no|off)$/.test(word);
  if ((!isTrue && !isFalse) || (at === i && (word === 'no' || word === 'on' || word === 'off'))) return 0;
  use(reading, i, at + 1 - i, 'operator');
  if (isFalse) reading.negation = reading.negation ? null : { kind: 'not', from: at, length: 1 };
  return at + 1 - i;
}

/** Whether the word says nothing of records. */
export const isFiller = ({ kind, word, loud }: Token) =>
  loud !== true && (kind === 'sign' || FILLERS.has(word));

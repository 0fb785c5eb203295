// A question before it is read: its tokens, and what the workspace has that they may mean.
import type { ModelItem } from '#models/tasks/model-task.ts';
import { BASES, DIRECTIONS, FILLERS, LEADS_TO_VALUE, type Phrases } from './lexicon.ts';
import { type FieldMention, fieldAt, isAmount, isFlag, type NamedField } from './names.ts';
import { isCounting } from './quantities.ts';
import { isCode, isQuoted, nounOf, type Token } from './tokens.ts';

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

export interface Text {
  readonly tokens: readonly Token[];
  /** Of the records that are asked for. */
  readonly types: readonly string[];
  /** Of all records. */
  readonly known_types: readonly string[];
  readonly fields: readonly NamedField[];
  /** By their first word in the singular. */
  readonly values: ReadonlyMap<string, readonly KnownValue[]>;
  /** Those of the values that are short words in capitals: OR, IN. */
  readonly codes: ReadonlySet<string>;
  /** Where the types are named, and over how many tokens. */
  readonly typesAt: ReadonlyMap<number, number>;
  /** Where other types are named. */
  readonly othersAt: ReadonlySet<number>;
  /** Where records are named, or values that distinguish them, when records are asked for by name. */
  readonly namesAt: ReadonlyMap<number, readonly { end: number; item: ModelItem | null }[]>;
  /** Epoch ms. */
  readonly today: number;
}

/** The same, read once for each position: rules look at what stands there from several positions before it. */
export function remembered<T>(read: (text: Text, i: number) => T): (text: Text, i: number) => T {
  const known = new WeakMap<Text, Map<number, { found: T }>>();
  return (text, i) => {
    const own = known.get(text) ?? new Map<number, { found: T }>();
    known.set(text, own);
    const before = own.get(i) ?? { found: read(text, i) };
    own.set(i, before);
    return before.found;
  };
}

/** What is asked of a text that has not been looked up. */
type Tokens = Pick<Text, 'tokens'> & Partial<Pick<Text, 'codes'>>;

/** The word at `i`; '' beyond the ends, and for a code, which is no word. */
export const wordAt = ({ tokens, codes }: Tokens, i: number): string =>
  codes?.has(tokens[i]?.text ?? '') ? '' : (tokens[i]?.word ?? '');

/** The phrase that begins at `i`, longest first. */
export function phraseAt<T>(
  text: Tokens,
  i: number,
  phrases: Phrases<T>,
): { meaning: T; length: number } | undefined {
  const found = phrases
    .get(wordAt(text, i))
    ?.find(([words]) =>
      words.every((word, k) => wordAt(text, i + k) === word && !isQuoted(text.tokens[i + k])),
    );
  return found && { meaning: found[1], length: found[0].length };
}

/** The first place from `i` on that is none of these words. */
export function past(text: Tokens, i: number, words: ReadonlySet<string>): number {
  let at = i;
  while (at < text.tokens.length && words.has(wordAt(text, at))) at += 1;
  return at;
}

/** Words that may stand before a name or an amount and add nothing. */
export const ARTICLES: ReadonlySet<string> = new Set('the a an their its all any of his her'.split(' '));

/** Whether the word at `i` is a singular. */
export const isOneOf = (text: Tokens, i: number): boolean => nounOf(wordAt(text, i)) === wordAt(text, i);

const ABOUT = /^(about|around|roughly|approximately|approx|circa|nearly|almost|across)$/;
const ALL = /^(any|every|each|all|none|nothing|anywhere|everywhere|everything|anything|everyone)$/;

/** Whether the token at `i` says nothing of records. */
export function isFiller({ tokens, codes }: Tokens, i: number): boolean {
  const token = tokens[i];
  if (!token || token.kind === 'sign' || token.kind === 'wish') return true;
  if (!FILLERS.has(token.word) || isCounting(tokens, i) || codes?.has(token.text)) return false;
  // "around 100" is not 100; "all but the oldest" are others.
  if (ABOUT.test(token.word)) return tokens[i + 1]?.kind !== 'number';
  // "in May"
  if (token.text === 'May' && i > 0) return false;
  // "in each yard": for every value of a field.
  if (/^(each|every)$/.test(token.word)) return !/^(in|of|for|at)$/.test(tokens[i - 1]?.word ?? '');
  return token.word !== 'but' || ![1, 2, 3].some((k) => ALL.test(tokens[i - k]?.word ?? ''));
}

/** All values that begin at `i`, each with its number of tokens. */
const valuesFrom = remembered((text, i): { value: KnownValue; length: number }[] => {
  const word = text.tokens[i]?.word ?? '';
  const noun = nounOf(word);
  const possible = [
    ...(text.values.get(noun) ?? []),
    ...(noun === word ? [] : (text.values.get(word) ?? [])),
  ];
  return possible.flatMap((value) => {
    if (isOtherWord(text, i, value.value) || isNegated(text, i, value)) return [];
    const length = lengthOf(text, i, value.nouns);
    return length > 0 ? [{ value, length }] : [];
  });
});

/** The values that begin at `i`, longest first, of the fields that fit. */
export function valueAt(
  text: Text,
  i: number,
  fits?: (path: string) => boolean,
): { values: KnownValue[]; length: number } | undefined {
  const found = valuesFrom(text, i).filter(({ value }) => !fits || fits(value.path));
  const length = Math.max(0, ...found.map((one) => one.length));
  const same = found.filter((one) => one.length === length).map(({ value }) => value);
  const meant = same.filter((value) => fits || !value.plain || meansValue(text, i, length, value));
  return meant.length > 0 ? { values: meant, length } : undefined;
}

/** "or" is no code OR. */
const isOtherWord = ({ tokens }: Text, i: number, value: string) =>
  isCode(value) && FILLERS.has(value.toLowerCase()) && tokens[i]?.text !== value;

/** "not rated R": a value that begins with a negation is not meant where another of its field follows. */
function isNegated(text: Text, i: number, { path, nouns }: KnownValue): boolean {
  if (nouns.length < 2 || !/^(not|no|non)$/.test(nouns[0] ?? '')) return false;
  const values = text.values.get(nounOf(wordAt(text, i + nouns.length))) ?? [];
  return values.some((value) => value.path === path && value.nouns.length === 1);
}

function lengthOf({ tokens }: Text, i: number, nouns: readonly string[]): number {
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
function meansValue(text: Text, i: number, length: number, { path, value }: KnownValue): boolean {
  const before = wordAt(text, i - 1);
  if (path === 'name' && text.tokens[i]?.text === value && isNumberName(text, i)) return true;
  // "free moorings", "neither free nor taken"
  if (text.typesAt.has(i + length) && !/^(by|per|each|every)$/.test(before)) return true;
  if (/^(neither|nor)$/.test(before)) return true;
  if (isQuoted(text.tokens[i]) || isCode(text.tokens[i]?.text ?? '')) return true;
  if (LEADS_TO_VALUE.has(before) && !/^(is|are|was|were|be|and|or|not|,|to|of|for|as|by|from)$/.test(before))
    return true;
  const field = text.fields.find((one) => one.path === path);
  const after = wordAt(text, i + length);
  return [before, after].some((word) => word !== '' && field?.words.includes(nounOf(word)) === true);
}

/** "order 1003", "order number 1003": the number is a name. */
export function isNumberName({ tokens, typesAt, values }: Text, i: number): boolean {
  const token = tokens[i];
  if (
    token?.kind !== 'number' ||
    !values.get(token.word)?.some(({ path, value }) => path === 'name' && value === token.text)
  )
    return false;
  const at = i - (/^(number|no|nr)$/.test(tokens[i - 1]?.word ?? '') ? 1 : 0);
  return [...typesAt].some(([start, length]) => start + length === at);
}

/** "low risk": an adjective of a field that does not have it, though another field may. */
export function isOfOtherField(
  text: Text,
  i: number,
  { values, length }: { values: KnownValue[]; length: number },
): boolean {
  const end = i + length;
  if (!BASES.has(wordAt(text, i)) || text.typesAt.has(end)) return false;
  const next = anyFieldAt(text, end);
  return next !== undefined && !next.fields.some((field) => values.some(({ path }) => path === field.path));
}

/** Of the values that several fields have, those that "from" or "to" leads to. */
export function directed(text: Text, i: number, values: KnownValue[]): KnownValue[] {
  const direction = DIRECTIONS.get(wordAt(text, i - 1));
  const own = values.filter(({ path }) =>
    text.fields.some((field) => field.path === path && field.words.some((word) => direction?.has(word))),
  );
  return own.length > 0 ? own : values;
}

/** Whether only values or flags stand before the type: "three red wines". */
export const leadsToType = remembered((text: Text, i: number): boolean => {
  for (let at = i; at < i + 4; at++) {
    if (text.typesAt.has(at)) return true;
    const flag = fieldAt(text.tokens, at, text.fields, isFlag);
    const value = valueAt(text, at);
    if (!value && !flag) return false;
    at += (value?.length ?? flag?.length ?? 1) - 1;
  }
  return false;
});

/** The fields of any kind that are named at `i`. */
export const anyFieldAt = remembered((text, i) => fieldAt(text.tokens, i, text.fields));

/** The field that is named at `i`, after articles; "number of" may stand before one that counts. */
export function nounAt(
  text: Text,
  i: number,
  fits?: (field: NamedField) => boolean,
): { mention: FieldMention; at: number; end: number } | undefined {
  const from = past(text, i, ARTICLES);
  const counted = /^(number|amount|count|total)$/.test(wordAt(text, from)) && wordAt(text, from + 1) === 'of';
  const named = fieldAt(text.tokens, from, text.fields, fits);
  if (named && !(counted && named.length === 1))
    return { mention: named, at: from, end: from + named.length };
  const at = counted ? past(text, from + 2, ARTICLES) : from;
  const other = counted
    ? fieldAt(text.tokens, at, text.fields, (one) => isAmount(one) && (fits?.(one) ?? true))
    : undefined;
  if (other && other.by !== 'stem') return { mention: other, at, end: at + other.length };
  return named && { mention: named, at: from, end: from + named.length };
}

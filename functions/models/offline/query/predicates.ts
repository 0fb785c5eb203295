// What is said of a field: that it is a value, an amount, a time, has a text or none, and what goes on after that.
import type { Where } from '#contract/conditions.ts';
import { type Amount, ageOn, amountOn, amountsAt, unitLeft } from './amounts.ts';
import { FILLERS, NEGATIONS, SUPERLATIVES } from './lexicon.ts';
import { fieldAt, hasTexts, isAmount, isDated, isMoney, isText, type NamedField, only } from './names.ts';
import { type KnownValue, past, phraseAt, type Text, valueAt, wordAt } from './text.ts';
import { timeOn, timesAt } from './times.ts';
import { isQuoted } from './tokens.ts';

/** What is said of a field, or of one that is not named. */
interface Predicate {
  end: number;
  where: Where;
  alternative?: string | undefined;
  /** It compares, so that it may go on after "and". */
  goesOn: boolean;
  left?: readonly number[];
}

/** The contrary. */
export const not = (where: Where): Where => ({ not: where });

/** Any value of the field. */
export const exists = ({ name }: NamedField): Where => ({ field: name, op: 'exists', value: true });

const NO_LINKS = /^(and|or|but|about|around|per|by|each|every|per|if|whether|not|no)$/;
const LINKS_MAX = 6;

/** Words between a field and what is said of it: "whose price is", "written by", "as of". */
export function linksEnd(text: Text, i: number): number {
  let at = i;
  while (at < i + LINKS_MAX && isLink(text, at)) at += 1;
  return at;
}

const isLink = (text: Text, at: number) => {
  const word = wordAt(text, at);
  return (
    /^(by|set|equals?|==?|count|amount|figure|level)$/.test(word) ||
    (FILLERS.has(word) && !NO_LINKS.test(word) && !isQuoted(text.tokens[at]))
  );
};

/** Each position from the one to the other. */
export const indexesFrom = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, k) => from + k);

const notAt = (text: Text, i: number) => {
  const found = phraseAt(text, i, NEGATIONS);
  return found?.meaning === 'not' || /^(no|doesnt|dont)$/.test(wordAt(text, i)) ? found : undefined;
};

/** What is said of these fields from `i` on, in every way that it can be read. */
function predicatesAt(text: Text, i: number, fields: readonly NamedField[], isNear: boolean): Predicate[] {
  const plain = positiveAt(text, i, fields, isNear);
  const negation = notAt(text, i);
  const negated = negation
    ? indexesFrom(i + negation.length, linksEnd(text, i + negation.length)).flatMap((at) =>
        positiveAt(text, at, fields, true).map((one) => ({
          ...one,
          where: not(one.where),
          alternative: undefined,
          goesOn: true,
        })),
      )
    : [];
  return [...plain, ...negated];
}

function positiveAt(text: Text, i: number, fields: readonly NamedField[], isNear: boolean): Predicate[] {
  const amounts = fields.filter(isAmount);
  const amount = only(amounts) ?? only(amounts.filter(({ words }) => isMoney(words) && moneyAt(text, i)));
  const dated = only(fields.filter(isDated));
  return [
    ...(amount ? amountsAt(text, i).flatMap((said) => ofAmount(text, amount, said)) : []),
    ...(dated && !amount ? [...timesOf(text, i, dated), ...agesOf(text, i, dated)] : []),
    ...valuesOf(text, i, fields),
    ...textsOf(text, i, fields, isNear),
    ...presenceOf(text, i, fields),
  ];
}

/** "tickets under 20 euros": of several fields the one of money. */
const moneyAt = (text: Text, i: number) =>
  amountsAt(text, i).some(({ quantity: { unit } }) => unit?.measures === 'money');

function ofAmount(text: Text, field: NamedField, said: Amount): Predicate[] {
  // "total of the 10 newest"
  if (!said.isCompared && SUPERLATIVES.has(wordAt(text, said.end))) return [];
  const where =
    said.dimension === 'age' && !field.words.includes('age')
      ? ageOn(text, said, field)
      : amountOn(field, said);
  return where ? [{ end: said.end, where, goesOn: said.isCompared, left: unitLeft(field, said) }] : [];
}

const timesOf = (text: Text, i: number, field: NamedField): Predicate[] =>
  timesAt(text, i).flatMap((said) => {
    const where = timeOn(field, said);
    return where
      ? [{ end: said.end, where, goesOn: true, alternative: said.side === 'eq' ? field.name : undefined }]
      : [];
  });

const agesOf = (text: Text, i: number, field: NamedField): Predicate[] =>
  amountsAt(text, i).flatMap((said) => {
    const where = said.dimension === 'age' ? ageOn(text, said, field) : undefined;
    return where ? [{ end: said.end, where, goesOn: true }] : [];
  });

/** Values of these fields, whatever else they may mean. */
function valuesOf(text: Text, i: number, fields: readonly NamedField[]): Predicate[] {
  const found = valueAt(text, i, (path) => fields.some((field) => field.path === path));
  return found ? [listed(text, i, found)] : [];
}

const VALUE_JOINTS = /^(and|or|nor|,|&|\/)$/;
const BETWEEN_VALUES: ReadonlySet<string> = new Set(
  'in from to the a an at on by with of both either is are'.split(' '),
);

/** "Berlin, Oslo or Rome": one of several values of a field; of a list that has "red and blue", each of them. */
export function listed(text: Text, i: number, first: { values: KnownValue[]; length: number }): Predicate {
  let [values, end] = [first.values, i + first.length];
  const all = [first.values];
  let isEach = false;
  for (;;) {
    let at = end;
    while (VALUE_JOINTS.test(wordAt(text, at))) at += 1;
    if (at === end) break;
    const isOwn = (path: string) => values.some((value) => value.path === path);
    let from = at;
    while (!valueAt(text, from, isOwn) && BETWEEN_VALUES.has(wordAt(text, from))) from += 1;
    const joint = wordAt(text, at - 1);
    const next = valueAt(text, from, isOwn);
    if (!next || (next.length === 1 && next.values[0]?.plain && text.typesAt.has(from))) break;
    const paths = new Set(next.values.map(({ path }) => path));
    const isOfList = text.fields.some(({ path, kinds }) => paths.has(path) && kinds.includes('list'));
    if (isOfList && joint === 'and') isEach = true;
    values = values.filter(({ path }) => paths.has(path));
    all.push(next.values);
    end = from + next.length;
  }
  const paths = new Set(values.map(({ path }) => path));
  const wheres = all.map((same) => eitherOf(same.filter(({ path }) => paths.has(path))));
  const where: Where = only(wheres) ?? (isEach ? { and: wheres } : { or: wheres });
  return { end, where, goesOn: true, alternative: isEach ? undefined : [...paths].join(' ') };
}

function eitherOf(values: readonly KnownValue[]): Where {
  const all = values.map(({ field, value }): Where => ({ field, op: '=', value }));
  return only(all) ?? { or: all };
}

/** Words that ask for a part of a text. */
export const CONTAINING = /^(contains?|containing|includes?|including|mentions?|mentioning)$/;
const STARTING = /^(starts?|starting|begins?|beginning)$/;
const NAMED = /^(named|called|titled)$/;
const EQUAL = /^(is|are|=|==|equals?)$/;
const TEXT_ARTICLES: ReadonlySet<string> = new Set(
  'the a an word text letter letters phrase with'.split(' '),
);

/** "contains data", "starting with A", and a text that no record has after "is". */
function textsOf(text: Text, i: number, fields: readonly NamedField[], isNear: boolean): Predicate[] {
  const field = only(fields.filter(hasTexts));
  if (!field) return [];
  const part = partAt(text, i);
  if (part)
    return [{ end: part.end, where: { field: field.name, op: part.op, value: part.said }, goesOn: false }];
  const token = text.tokens[i];
  const before = wordAt(text, i - 1);
  if (!token || token.kind === 'sign') return [];
  if (token.kind === 'number' && isNear && !isDated(field)) {
    // A text that is none of a number, such as a date in words, is no number.
    const isOfNumbers = field.samples.some((sample) => /^\W*\d+\W*$/.test(sample));
    return isOfNumbers
      ? [{ end: i + 1, where: { field: field.name, op: '=', value: token.text }, goesOn: false }]
      : [];
  }
  const isUnknown =
    isText(field) &&
    (EQUAL.test(before) || (/^not$/.test(before) && EQUAL.test(wordAt(text, i - 2)))) &&
    (isQuoted(token) || /^=/.test(before) || /^\p{Lu}/u.test(token.text)) &&
    !valueAt(text, i);
  const said = isUnknown ? textAt(text, i) : undefined;
  return said
    ? [{ end: i + said.length, where: { field: field.name, op: '=', value: said.text }, goesOn: false }]
    : [];
}

/** "contains X", "starting with X". */
export function partAt(
  text: Text,
  i: number,
): { op: 'contains' | 'starts_with'; said: string; end: number } | undefined {
  const isStart = STARTING.test(wordAt(text, i)) && wordAt(text, i + 1) === 'with';
  const isPart =
    CONTAINING.test(wordAt(text, i)) || (NAMED.test(wordAt(text, i)) && wordAt(text, i + 1) !== 'after');
  if (!isStart && !isPart) return undefined;
  const from = past(text, i + (isStart ? 2 : 1), TEXT_ARTICLES);
  const said = textAt(text, from);
  return said && { op: isStart ? 'starts_with' : 'contains', said: said.text, end: from + said.length };
}

/** The quotation at `i`, the value, or the one word. */
function textAt(text: Text, i: number): { text: string; length: number } | undefined {
  const { tokens } = text;
  const token = tokens[i];
  if (!token || token.kind === 'sign' || token.kind === 'wish') return undefined;
  const length = isQuoted(token)
    ? tokens.slice(i).findIndex(({ quote }) => quote !== token.quote)
    : (valueAt(text, i)?.length ?? 1);
  const end = length < 0 ? tokens.length - i : length;
  const words = tokens.slice(i, i + end).map((one) => one.text);
  return { text: words.join(' ').slice(0, 200), length: end };
}

const MISSING = /^(missing|empty|unknown|null|blank|absent|unset)$/;
const PRESENT = /^(known|present|filled)$/;

/** "email is missing", "phone is known". */
function presenceOf(text: Text, i: number, fields: readonly NamedField[]): Predicate[] {
  const field = only(fields);
  const word = wordAt(text, i);
  if (!field || (!MISSING.test(word) && !PRESENT.test(word))) return [];
  return [{ end: i + 1, where: MISSING.test(word) ? not(exists(field)) : exists(field), goesOn: false }];
}

/** A predicate, and what goes on after it about the same fields: "over 30 but under 60", "not gold and not silver". */
export function chainsAt(text: Text, i: number, fields: readonly NamedField[], isNear: boolean): Predicate[] {
  return predicatesAt(text, i, fields, isNear).flatMap((first) => [first, ...goingOn(text, first, fields)]);
}

function goingOn(text: Text, first: Predicate, fields: readonly NamedField[]): Predicate[] {
  const joint = wordAt(text, first.end);
  if (!first.goesOn || !/^(and|but|or|nor|,)$/.test(joint)) return [];
  const from = first.end + 1;
  return indexesFrom(from, linksEnd(text, from)).flatMap((at) =>
    predicatesAt(text, at, fields, false)
      .filter(({ goesOn, end }) => goesOn && !isOfNextField(text, end))
      .map((next) => ({
        end: next.end,
        goesOn: false,
        left: [...(first.left ?? []), ...(next.left ?? [])],
        where:
          joint === 'or' || (first.alternative !== undefined && first.alternative === next.alternative)
            ? { or: [first.where, next.where] }
            : { and: [first.where, next.where] },
      })),
  );
}

const isOfNextField = (text: Text, end: number) =>
  fieldAt(text.tokens, end, text.fields, isAmount) !== undefined;

// The rules by which the words of a query are read, and those of them that are short.
import { comparisonAt, readComparison, readNumber, timeFollows } from './comparisons.ts';
import { readCount, readGroup, readMeasure } from './group-words.ts';
import { HAPPENED, SITUATED, SUPERLATIVES } from './lexicon.ts';
import { fieldAt, hasTexts, isAmount, only } from './names.ts';
import { readOrder } from './orders.ts';
import { readNegation, readOutOf, readPresence } from './presence.ts';
import { isCounting, quantityAt } from './quantities.ts';
import {
  ARTICLES,
  addTest,
  closeMention,
  isFiller,
  past,
  type Reading,
  readField,
  use,
  useMention,
  wordAt,
} from './reading.ts';
import { readTime } from './times.ts';
import { isCode, isQuoted, nounOf } from './tokens.ts';
import { readText, readUnknownText, readValue, valueAt } from './values.ts';

/** In their order: the first that reads something at a place wins. */
const RULES: readonly ((reading: Reading, i: number) => number)[] = [
  readCode,
  readNumberName,
  readInName,
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

/** Reads what stands at a place; returns how many tokens it takes. */
export function readAt(reading: Reading, i: number): number {
  if (reading.tokens[i]?.use) return 1;
  const skipped = unsayableAt(reading, i);
  for (const token of reading.tokens.slice(i, i + skipped)) token.loud = true;
  if (skipped > 0) return skipped;
  for (const rule of RULES) {
    const length = rule(reading, i);
    if (length > 0) return length;
  }
  return 1;
}

const ORDINALS = /^(second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)$/;
const ENDING = /^(st|nd|rd|th)$/;
const isSuperlative = (word: string) => SUPERLATIVES.has(word);
const ABOUT = /^(about|around|roughly|approximately|approx|circa|nearly|almost|~)$/;

/** Words that no plan says: they stay unread, and are named. */
function unsayableAt(reading: Reading, i: number): number {
  const [word, next, third] = [wordAt(reading, i), wordAt(reading, i + 1), wordAt(reading, i + 2)];
  const isNumber = (at: number) => reading.tokens[at]?.kind === 'number';
  if (/^(all|everything|anything|everyone)$/.test(word) && next === 'but') return 2;
  if (word === 'but' && isOfAll(reading, i)) return 1;
  if (word === 'most' && next === 'of') return 1;
  if (ORDINALS.test(word) && isSuperlative(next)) return 1;
  if (isNumber(i) && ENDING.test(next) && isSuperlative(third)) return 2;
  if (isSuperlative(word) && isNumber(i + 1) && /^(%|percent)$/.test(third)) return 3;
  if (word === 'bottom' && isNumber(i + 1) && /^(%|percent)$/.test(third)) return 3;
  if (ABOUT.test(word) && isNumber(i + 1) && quantityAt(reading.tokens, i + 1)) return 2;
  // "total of the 10 newest orders": no number is of the first ones.
  const first = past(reading, i + 2, ARTICLES);
  if (
    /^(total|sum)$/.test(word) &&
    next === 'of' &&
    (isNumber(first) || isSuperlative(wordAt(reading, first)))
  )
    return 2;
  return word === 'half' && next === 'of' ? 1 : 0;
}

/** "any harbour but Kiel", "every boat but the oldest": all without those. */
const isOfAll = (reading: Reading, i: number) =>
  [i - 1, i - 2, i - 3].some((at) =>
    /^(any|every|each|all|none|nothing|anywhere|everywhere)$/.test(wordAt(reading, at)),
  );

/** "OR", "NO", "IS": a value in capitals, though the word may mean something else in small letters. */
function readCode(reading: Reading, i: number): number {
  const token = reading.tokens[i];
  if (!token || !isCode(token.text)) return 0;
  const isValue = (reading.values.get(nounOf(token.word)) ?? []).some(({ value }) => value === token.text);
  return isValue ? readValue(reading, i) : 0;
}

/** "order 1003", "orders 1003 and 1004": the number is a name. */
function readNumberName(reading: Reading, i: number): number {
  const token = reading.tokens[i];
  if (token?.kind !== 'number') return 0;
  const isName = (reading.values.get(token.word) ?? []).some(
    ({ path, value }) => path === 'name' && value === token.text,
  );
  const at = i - (/^(number|no|nr)$/.test(wordAt(reading, i - 1)) ? 1 : 0);
  const isAfterType = [...reading.typesAt].some(([start, length]) => start + length === at);
  const isNext = reading.joint !== '' && reading.tests.at(-1)?.paths.join() === 'name';
  if (!isName || (!isAfterType && !isNext)) return 0;
  closeMention(reading);
  use(reading, at, i - at, 'field');
  addTest(reading, { field: 'name', op: '=', value: token.text }, { paths: ['name'] });
  return use(reading, i, 1, 'value');
}

/** "with data in the name": a part of it. */
function readInName(reading: Reading, i: number): number {
  const token = reading.tokens[i];
  if (
    token?.kind !== 'word' ||
    !/^(with|having)$/.test(wordAt(reading, i - 1)) ||
    wordAt(reading, i + 1) !== 'in'
  )
    return 0;
  const at = past(reading, i + 2, ARTICLES);
  const named = fieldAt(
    reading.tokens,
    at,
    reading.fields,
    (field) => field.path === 'name' || hasTexts(field),
  );
  const field = only(named?.fields ?? []);
  if (!named || !field || !/^(name|title)$/.test(field.core.join())) return 0;
  closeMention(reading);
  addTest(reading, { field: field.name, op: 'contains', value: token.text }, { paths: [] });
  return use(reading, i, at + named.length - i, 'value');
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

const LEADING = new Set('by in to from with as at on for the a an via of'.split(' '));

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
  if (readTogether(reading, i)) return 1;
  closeMention(reading);
  // "Oslo, and Rome": the last of several joints counts.
  reading.joint = joint;
  return use(reading, i, 1, joint === 'or' ? 'operator' : 'filler');
}

/** "width and height over 300": the comparison is of both fields. */
function readTogether(reading: Reading, i: number): boolean {
  const word = wordAt(reading, i);
  const field = only(reading.mention?.fields.filter(isAmount) ?? []);
  if (!field || (word !== 'and' && word !== 'or' && word !== ',')) return false;
  const from = past(reading, i + 1, new Set([...ARTICLES, 'both']));
  const next = fieldAt(reading.tokens, from, reading.fields, isAmount);
  if (next?.fields.length !== 1 || next.fields[0] === field) return false;
  const end = past(reading, from + next.length, new Set(['are', 'is', 'both', 'of', 'that', 'each']));
  if (!comparisonAt(reading, end) && !/^between$/.test(wordAt(reading, end))) return false;
  reading.together = {
    fields: [...(reading.together?.fields ?? []), field],
    joint: word === 'or' ? 'or' : 'and',
  };
  useMention(reading);
  use(reading, i, 1, 'operator');
  return true;
}

function readFiller(reading: Reading, i: number): number {
  const token = reading.tokens[i];
  if (!token) return 1;
  if (isCounting(reading.tokens, i)) token.loud = true;
  if (isFiller(token)) return use(reading, i, 1, 'filler');
  const isPlaced = SITUATED.has(token.word) || HAPPENED.has(token.word);
  if (isPlaced && /^(in|at|from|for|to|near|there|here|as|on)$/.test(wordAt(reading, i + 1)))
    return use(reading, i, 1, 'filler');
  return 0;
}

// The rules by which the words of a query are read, and those of them that are short.
import { readComparison, readNumber, timeFollows } from './comparisons.ts';
import { readCount, readGroup, readMeasure } from './group-words.ts';
import { HAPPENED, SITUATED } from './lexicon.ts';
import { fieldAt, only } from './names.ts';
import { readOrder } from './orders.ts';
import { readNegation, readOutOf, readPresence } from './presence.ts';
import { closeMention, isFiller, past, type Reading, readField, use, wordAt } from './reading.ts';
import { readTime } from './times.ts';
import { isQuoted } from './tokens.ts';
import { readText, readUnknownText, readValue, valueAt } from './values.ts';

/** In their order: the first that reads something at a place wins. */
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

/** Reads what stands at a place; returns how many tokens it takes. */
export function readAt(reading: Reading, i: number): number {
  if (reading.tokens[i]?.use) return 1;
  for (const rule of RULES) {
    const length = rule(reading, i);
    if (length > 0) return length;
  }
  return 1;
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

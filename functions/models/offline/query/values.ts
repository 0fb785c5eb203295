// Values and texts in a query, as conditions on the fields that have them.
import type { Where } from '#contract/conditions.ts';
import { BASES, DIRECTIONS, FILLERS, LEADS_TO_VALUE } from './lexicon.ts';
import { fieldAt, hasTexts, isFlag, isText, type NamedField, only } from './names.ts';
import {
  addTest,
  closeMention,
  type KnownValue,
  past,
  type Reading,
  use,
  useMention,
  wordAt,
} from './reading.ts';
import { isCode, isQuoted, nounOf } from './tokens.ts';

const CONTAINING = new Set([
  'contains',
  'contain',
  'containing',
  'includes',
  'include',
  'including',
  'mentions',
  'mention',
  'mentioning',
]);

const STARTING = new Set(['starts', 'start', 'starting', 'begins', 'begin', 'beginning']);

const NAMED = new Set(['named', 'called', 'titled']);

/** Reads "name contains X", "starting with X", "named X"; 0 when there is no text to compare. */
export function readText(reading: Reading, i: number): number {
  const word = wordAt(reading, i);
  const starts = STARTING.has(word) && wordAt(reading, i + 1) === 'with';
  const contains = CONTAINING.has(word);
  const named = NAMED.has(word) && wordAt(reading, i + 1) !== 'after';
  if (!starts && !contains && !named) return 0;
  const open = reading.mention?.fields.filter(hasTexts) ?? [];
  const name = reading.fields.find(({ words }) => words.join() === 'name');
  const field = only(open) ?? (open.length === 0 && (starts || named) ? name : undefined);
  const from = past(
    reading,
    i + (starts ? 2 : 1),
    new Set(['the', 'a', 'an', 'word', 'text', 'letter', 'letters', 'phrase', 'with']),
  );
  const said = textAt(reading, from);
  if (!field || !said) return 0;
  useMention(reading);
  addTest(
    reading,
    { field: field.name, op: starts ? 'starts_with' : 'contains', value: said.text },
    { paths: [] },
  );
  return use(reading, i, from + said.length - i, 'value');
}

/** The quotation at `i`, the value, or the one word. */
function textAt(reading: Reading, i: number): { text: string; length: number } | undefined {
  const { tokens } = reading;
  const token = tokens[i];
  if (!token || token.kind === 'sign') return undefined;
  const length =
    token.quote === null
      ? (valueAt(reading, i)?.length ?? 1)
      : tokens.slice(i).findIndex(({ quote }) => quote !== token.quote);
  const end = length < 0 ? tokens.length - i : length;
  return {
    text: tokens
      .slice(i, i + end)
      .map(({ text }) => text)
      .join(' ')
      .slice(0, 200),
    length: end,
  };
}

const EQUAL = new Set(['is', 'are', '=', '==', 'equals', 'equal']);

/** Reads "city = Atlantis" where no record has the text: exact, and true of none. */
export function readUnknownText(reading: Reading, i: number): number {
  const field = only(reading.mention?.fields.filter(isText) ?? []);
  if (!field || !EQUAL.has(wordAt(reading, i))) return 0;
  const negated = wordAt(reading, i + 1) === 'not' ? 1 : 0;
  const at = i + 1 + negated;
  const token = reading.tokens[at];
  const isSign = /^=/.test(wordAt(reading, i));
  if (!token || (!isQuoted(token) && !isSign && !/^\p{Lu}/u.test(token.text)) || valueAt(reading, at))
    return 0;
  const said = textAt(reading, at);
  if (!said) return 0;
  useMention(reading);
  const where: Where = { field: field.name, op: '=', value: said.text };
  addTest(reading, negated > 0 ? { not: where } : where, { paths: [field.path] });
  return use(reading, i, at + said.length - i, 'value');
}

/** The values that begin at `i`, longest first. */
export function valueAt(reading: Reading, i: number): { values: KnownValue[]; length: number } | undefined {
  const { tokens, values } = reading;
  const word = wordAt(reading, i);
  const noun = nounOf(word);
  const possible = [...(values.get(noun) ?? []), ...(noun === word ? [] : (values.get(word) ?? []))];
  const found = possible.flatMap((value) => {
    if (isOtherWord(reading, i, value.value) || isNegated(reading, i, value)) return [];
    const length = lengthOf(reading, i, value.nouns);
    return length > 0 ? [{ value, length }] : [];
  });
  const length = Math.max(0, ...found.map((one) => one.length));
  if (length === 0 || tokens.slice(i, i + length).some(({ use: used }) => used !== null && used !== 'filler'))
    return undefined;
  const same = found.filter((one) => one.length === length).map(({ value }) => value);
  const meant = same.filter((value) => !value.plain || meansValue(reading, i, length, value));
  return meant.length > 0 ? { values: meant, length } : undefined;
}

/** "or" is no code OR. */
const isOtherWord = ({ tokens }: Reading, i: number, value: string) =>
  isCode(value) && FILLERS.has(value.toLowerCase()) && tokens[i]?.text !== value;

/** "not rated R": a value that begins with a negation is not meant where another of its field follows. */
function isNegated(reading: Reading, i: number, { path, nouns }: KnownValue): boolean {
  if (nouns.length < 2 || !/^(not|no|non)$/.test(nouns[0] ?? '')) return false;
  const next = wordAt(reading, i + nouns.length);
  const values = reading.values.get(nounOf(next)) ?? [];
  return values.some((value) => value.path === path && value.nouns.length === 1);
}

function lengthOf({ tokens }: Reading, i: number, nouns: readonly string[]): number {
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
function meansValue(reading: Reading, i: number, length: number, { path }: KnownValue): boolean {
  const before = wordAt(reading, i - 1);
  // "free moorings", "neither free nor taken"
  if (reading.typesAt.has(i + length) && !/^(by|per|each|every)$/.test(before)) return true;
  if (/^(neither|nor)$/.test(before)) return true;
  if (isQuoted(reading.tokens[i]) || isCode(reading.tokens[i]?.text ?? '')) return true;
  if (reading.mention?.fields.some((field) => field.path === path)) return true;
  if (reading.hints.some((field) => field.path === path) && /^(and|or|,|not|is|are|=)$/.test(before))
    return true;
  if (LEADS_TO_VALUE.has(before) && !/^(is|are|was|were|be|and|or|not|,|to|of|for|as|by|from)$/.test(before))
    return true;
  const field = reading.fields.find((one) => one.path === path);
  const after = wordAt(reading, i + length);
  return [before, after].some((word) => word !== '' && field?.words.includes(nounOf(word)) === true);
}

/** "low risk": an adjective of a field that does not have it, though another field may. */
function isOfOtherField(
  reading: Reading,
  i: number,
  { values, length }: { values: KnownValue[]; length: number },
): boolean {
  const end = i + length;
  if (!BASES.has(wordAt(reading, i)) || reading.mention || reading.typesAt.has(end)) return false;
  const next = fieldAt(reading.tokens, end, reading.fields);
  return next !== undefined && !next.fields.some((field) => values.some(({ path }) => path === field.path));
}

/** Reads a value at `i`; of a field named before, else of each field that has it. */
export function readValue(reading: Reading, i: number): number {
  const found = valueAt(reading, i);
  if (!found) return 0;
  const { values, length } = found;
  // "1000 K" is an amount in a unit.
  const isLetter = /^\p{L}$/u.test(reading.tokens[i]?.text ?? '') && reading.tokens[i - 1]?.kind === 'number';
  if (isLetter && !reading.mention) return 0;
  if (isOfOtherField(reading, i, found)) return 0;
  const chosen = ofMeantField(reading, i, values);
  const paths = [...new Set(chosen.map(({ path }) => path))];
  const named = reading.mention?.fields.some(({ path }) => paths.includes(path)) === true;
  const { mention } = reading;
  const verb = only(mention?.fields.filter(hasTexts) ?? []);
  if (named) useMention(reading);
  // "that border Germany": the value is of no such field, and the word says something else.
  else if (mention && verb && mention.at + mention.length === i && !mention.owned) reading.mention = null;
  else closeMention(reading);
  // "open status": the name of the field may come after its value.
  const after = fieldAt(reading.tokens, i + length, reading.fields, (field) => paths.includes(field.path));
  const behind = !named && after && after.by !== 'synonym' ? after.length : 0;
  use(reading, i, length, 'value');
  use(reading, i + length, behind, 'field');
  const equalities = chosen.map(({ field, value }): Where => ({ field, op: '=', value }));
  addTest(reading, only(equalities) ?? { or: equalities }, {
    paths,
    bare: !named && behind === 0,
  });
  return length + behind;
}

function ofMeantField(reading: Reading, i: number, values: KnownValue[]): KnownValue[] {
  const among = (fields: readonly NamedField[]) =>
    values.filter(({ path }) => fields.some((field) => field.path === path));
  const named = among(reading.mention?.fields ?? []);
  if (named.length > 0) return named;
  const last = reading.tests.at(-1);
  const continued =
    reading.joint !== '' && last ? values.filter(({ path }) => last.paths.includes(path)) : [];
  if (continued.length > 0) return continued;
  const direction = DIRECTIONS.get(wordAt(reading, i - 1));
  const directed = direction
    ? values.filter(({ path }) =>
        reading.fields.some(
          (field) => field.path === path && field.words.some((word) => direction.has(word)),
        ),
      )
    : [];
  if (directed.length > 0 && directed.length < values.length) return directed;
  const hinted = among(reading.hints);
  return hinted.length > 0 ? hinted : values;
}

/** Whether only values or flags stand before the type: "three red wines". */
export function leadsToType(reading: Reading, i: number): boolean {
  for (let at = i; at < i + 4; at++) {
    if (reading.typesAt.has(at)) return true;
    const isFlagged = fieldAt(reading.tokens, at, reading.fields, isFlag) !== undefined;
    const value = valueAt(reading, at);
    if (!value && !isFlagged) return false;
    at += (value?.length ?? 1) - 1;
  }
  return false;
}

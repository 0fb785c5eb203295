// Negation in a query, and fields that have no value.
import { NEGATIONS } from './lexicon.ts';
import { fieldAt, isAmount, isFlag, only } from './names.ts';
import { addTest, closeMention, exists, phraseAt, type Reading, use, useMention, wordAt } from './reading.ts';
import { valueAt } from './values.ts';

/** Reads a negation at `i`, which the next condition takes over. */
export function readNegation(reading: Reading, i: number): number {
  const found = phraseAt(reading, i, NEGATIONS);
  if (!found) return 0;
  const { meaning, length } = found;
  // "whose grade is not gold": the value is of the field just named.
  const next = valueAt(reading, i + length)?.values ?? [];
  const isOfMention = next.some(({ path }) => reading.mention?.fields.some((field) => field.path === path));
  if (!isOfMention) closeMention(reading);
  if (wordAt(reading, i) === 'nor') reading.joint = 'and';
  reading.negation = { kind: meaning, from: i, length };
  return length;
}

/** "out of stock": none of what a field counts, or its flag not set. */
export function readOutOf(reading: Reading, i: number): number {
  if (wordAt(reading, i) !== 'out' || wordAt(reading, i + 1) !== 'of') return 0;
  const named = fieldAt(reading.tokens, i + 2, reading.fields, (field) => isAmount(field) || isFlag(field));
  const field = only(named?.fields ?? []);
  if (!named || !field) return 0;
  closeMention(reading);
  addTest(reading, { field: field.name, op: '=', value: isFlag(field) ? false : 0 }, { paths: [] });
  return use(reading, i, 2 + named.length, 'operator');
}

const MISSING = /^(missing|empty|unknown|null|blank|absent|unset)$/;

const PRESENT = /^(known|present|filled)$/;

/** Reads "email is missing", "phone is known". */
export function readPresence(reading: Reading, i: number): number {
  const field = only(reading.mention?.fields ?? []);
  const word = wordAt(reading, i);
  if (!field || (!MISSING.test(word) && !PRESENT.test(word))) return 0;
  useMention(reading);
  addTest(reading, MISSING.test(word) ? { not: exists(field) } : exists(field), { paths: [] });
  return use(reading, i, 1, 'operator');
}

// Comparisons and bare numbers within a sentence, and the fields that they refer to.
import { amountOf, type Comparison } from './numbers.ts';
import { addTest, addWord, type Reading } from './reading.ts';
import { keysOfSort, mentionAt } from './shape.ts';
import { FILLERS, typeOf } from './vocabulary.ts';

/** Reads the comparison at `i`, on the field named before it or else right after; returns the tokens consumed. */
export function readComparison(reading: Reading, i: number, comparison: Comparison): number {
  reading.running = false;
  if (reading.mention) {
    reading.mention.open = false;
    addTest(reading, { kind: 'compare', comparison, keys: reading.mention.keys });
    return 1;
  }
  const next = reading.tokens[i + 1];
  const nextWord = next?.kind === 'word' && !next.stop ? next.word : undefined;
  // "at most 5 companies" limits the count, which is a param of the step.
  if (nextWord !== undefined && reading.shape.types.has(typeOf(nextWord))) return 2;
  const named = mentionAt(reading.shape, reading.tokens, i + 1);
  if (named) {
    addTest(reading, { kind: 'compare', comparison, keys: named.keys });
    return 1 + named.length;
  }
  const dated = comparison.low?.span !== undefined || comparison.high?.span !== undefined;
  const unknown = unknownBefore(reading) || (nextWord !== undefined && !FILLERS.has(nextWord));
  if (unknown && !dated) addTest(reading, { kind: 'compare', comparison, keys: [] });
  else if (comparison.side !== 'lte' || dated) addTest(reading, { kind: 'compare', comparison, keys: null });
  return unknown && nextWord !== undefined && !FILLERS.has(nextWord) && !dated ? 2 : 1;
}

/** Whether the word just before named a field that no item has ("patents over 10"); removes that word. */
function unknownBefore(reading: Reading): boolean {
  const requirement = reading.clause.requirements.at(-1);
  const test = requirement?.at(-1);
  if (test?.kind !== 'words' || test.proper || test.keys !== null) return false;
  test.words.pop();
  if (test.words.length === 0) requirement?.pop();
  if (requirement?.length === 0) reading.clause.requirements.pop();
  return true;
}

/** Reads a bare number at `i`: a value of an adjacent field, or else an ordinary word; returns the tokens consumed. */
export function readNumber(reading: Reading, i: number, word: string): number {
  const amount = amountOf(word);
  const named = reading.mention?.open ? undefined : mentionAt(reading.shape, reading.tokens, i + 1);
  const keys = named?.keys ?? (reading.mention?.open ? reading.mention.keys : undefined);
  if (!keys || !amount || keysOfSort(reading.shape, keys, 'flag').length > 0) {
    addWord(reading, word, false);
    return 1;
  }
  if (reading.mention) reading.mention.open = false;
  reading.running = false;
  addTest(reading, {
    kind: 'compare',
    comparison: { start: 0, end: 0, side: 'eq', low: amount, high: amount },
    keys,
  });
  return 1 + (named?.length ?? 0);
}

// The parser state of a sentence, and how a word, a test or a named field changes it.
import type { Clause, Sentence, Test } from './clause.ts';
import { keysOfSort, type Shape } from './shape.ts';
import type { Token } from './tokens.ts';

interface Mention {
  keys: string[];
  /** Until a value or comparison has used it. */
  open: boolean;
  /** While a value may follow directly. */
  tied: boolean;
  /** The record type that the same word stands for. */
  type: string | null;
}

/** The parser state of a sentence. */
export interface Reading {
  tokens: Token[];
  shape: Shape;
  clauses: Clause[];
  clause: Clause;
  /** The next test is an alternative to the last requirement. */
  alternative: boolean;
  /** The last token was a word of the last test: the next word continues the same wording. */
  running: boolean;
  /** The fields named last in this clause. */
  mention: Mention | null;
  owning: boolean;
  order: { asked: boolean; descending: boolean };
  rank: Sentence['rank'];
}

/** A clause without requirements. */
export function newClause(negated: boolean, joiner: string): Clause {
  return { negated, joiner, requirements: [], types: [] };
}

/** Adds a significant word: to the last wording when adjacent, else as a new test. */
export function addWord(reading: Reading, word: string, proper: boolean): void {
  const { mention } = reading;
  const last = reading.clause.requirements.at(-1)?.at(-1);
  if (reading.running && last?.kind === 'words') {
    last.words.push(word);
    last.proper ||= proper;
    return;
  }
  const texts = mention?.tied ? keysOfSort(reading.shape, mention.keys, 'text') : [];
  if (mention && texts.length > 0) mention.open = false;
  addTest(reading, { kind: 'words', words: [word], keys: texts.length > 0 ? texts : null, proper });
  reading.running = true;
}

/** Adds a test: an alternative to the last one after "or", else a new requirement. */
export function addTest(reading: Reading, test: Test): void {
  const { clause, clauses } = reading;
  const own = clause.requirements.at(-1);
  if (reading.alternative && own) own.push(test);
  else {
    if (reading.alternative && clauses.length > 1) clause.joiner = 'or';
    clause.requirements.push([test]);
  }
  reading.alternative = false;
}

/** Ends a mention without a value: the sentence sorts by it, requires it to be present or true, or means a type. */
export function closeMention(reading: Reading): void {
  const { mention } = reading;
  if (!mention?.open) return;
  mention.open = false;
  mention.tied = false;
  const flags = keysOfSort(reading.shape, mention.keys, 'flag');
  if (reading.order.asked) reading.rank ??= { keys: mention.keys, descending: reading.order.descending };
  else if (flags.length > 0) addTest(reading, { kind: 'exists', keys: flags });
  else if (reading.owning) addTest(reading, { kind: 'exists', keys: mention.keys });
  else if (mention.type !== null) reading.clause.types.push(mention.type);
}

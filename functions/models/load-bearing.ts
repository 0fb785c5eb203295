// The words of a query that its answer depends on: without one of them the answer is of another question.
import { fold, stem } from '#platform/words.ts';

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const BEARING = set(
  // Numbers and shares.
  'two three four five six seven eight nine ten eleven twelve dozen hundred thousand million billion half percent minus negative ' +
    // Comparisons, also rough ones.
    'more less fewer greater than over under above below between before after since until till exceeding around about roughly approximately ' +
    // Negations.
    'not no never neither nor none without except excluding but isnt arent wasnt werent dont doesnt didnt hasnt havent ' +
    // Superlatives and ordinals.
    'most least top bottom best worst first last second third fourth fifth ' +
    // Quantifiers, measures and what compares with another record.
    'each every same average mean median sum total ranked ' +
    // Times.
    'january february march april june july august september october november december twenties thirties forties fifties sixties seventies ' +
    'eighties nineties century ' +
    'today tomorrow yesterday tonight ago monday tuesday wednesday thursday friday saturday sunday weekend ' +
    'day days week weeks month months quarter quarters year years decade decades',
);
const SUPERLATIVE = /^[a-z]{3,}est$/;
const NO_SUPERLATIVE = set(
  'forest interest request guest harvest invest quest contest budapest chest protest arrest suggest digest honest modest latest rest west',
);

/** Those of the words that bear, for records of these types (rules.md: query 9). */
export function loadBearing(words: readonly string[], types: readonly string[]): string[] {
  const nouns = new Set(types.map((type) => singular(fold(type))));
  return words.filter((said) =>
    fold(said)
      .replace(/['’]/g, '')
      .split(/[^\p{L}\p{N}%~]+/u)
      .some((word) => bears(word, nouns)),
  );
}

const singular = (word: string) => (word === 'people' ? 'person' : stem(word));

function bears(word: string, nouns: ReadonlySet<string>): boolean {
  if (word === '') return false;
  const isSuperlative = SUPERLATIVE.test(word) && !NO_SUPERLATIVE.has(word);
  return /^[-~]?\d|%$/.test(word) || BEARING.has(word) || isSuperlative || nouns.has(singular(word));
}

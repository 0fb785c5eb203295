// Offline embedding: words and character n-grams hashed into a unit vector, so that likeness of spelling is nearness.
import { contentWords, isStopWord, wordsOf } from '#platform/words.ts';

export const EMBEDDING_DIMENSIONS = 256;

const WORD_WEIGHT = 1;
/** Together the n-grams of a word weigh about as much as the word itself. */
const GRAMS_WEIGHT = 0.9;
const STOP_WORD_WEIGHT = 0.1;

/** A vector of length 1 for any text, always the same for the same text; all zero only when the text has no word. */
export function embedText(text: string): number[] {
  const vector = new Float64Array(EMBEDDING_DIMENSIONS);
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const onlyStopWords = contentWords(text).every(isStopWord);
  for (const [word, count] of counts) {
    const weight = (1 + Math.log(count)) * (isStopWord(word) && !onlyStopWords ? STOP_WORD_WEIGHT : 1);
    add(vector, `=${word}`, weight * WORD_WEIGHT);
    const grams = gramsOf(word);
    for (const gram of grams) add(vector, gram, (weight * GRAMS_WEIGHT) / Math.sqrt(grams.length));
  }
  return normalised(vector);
}

function gramsOf(word: string): string[] {
  const framed = [...`^${word}$`];
  const grams: string[] = [];
  for (const size of [3, 4])
    for (let i = 0; i + size <= framed.length; i++) grams.push(framed.slice(i, i + size).join(''));
  return grams;
}

/** Two places a feature: one chance collision then cannot make two texts alike. */
function add(vector: Float64Array, feature: string, weight: number): void {
  for (const seed of [0x811c9dc5, 0x9747b28c]) {
    const hash = hashOf(feature, seed);
    const place = hash % EMBEDDING_DIMENSIONS;
    vector[place] = (vector[place] ?? 0) + (hash & 0x10000 ? weight : -weight);
  }
}

function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function normalised(vector: Float64Array): number[] {
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return Array.from(vector, (x) => (length === 0 ? 0 : x / length));
}

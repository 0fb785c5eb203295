// Offline embedding: words and character n-grams hashed into a unit vector, so that similar spelling is close.
import type { Model } from '#models/model.ts';
import { isStopWord, wordsOf } from '#platform/words.ts';
import { cached } from './cached.ts';

export const EMBEDDING_DIMENSIONS = 256;

const WORD_WEIGHT = 1;
/** The n-grams of a word together weigh about as much as the word. */
const GRAMS_WEIGHT = 0.9;
const STOP_WORD_WEIGHT = 0.1;

/** The offline embedding: free, because no provider is called. */
export const offlineEmbedding: Pick<
  Model,
  'embed' | 'embeddingName' | 'embeddingModel' | 'embeddingDimensions'
> = {
  embeddingName: null,
  embeddingModel: 'offline',
  embeddingDimensions: EMBEDDING_DIMENSIONS,
  embed: async (texts) => texts.map(embedText),
};

/** A deterministic unit vector for a text; all zeros only when the text has no word. */
export function embedText(text: string): number[] {
  const vector = new Float64Array(EMBEDDING_DIMENSIONS);
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const onlyStopWords = [...counts.keys()].every(isStopWord);
  for (const [word, count] of counts) {
    const weight = (1 + Math.log(count)) * (isStopWord(word) && !onlyStopWords ? STOP_WORD_WEIGHT : 1);
    const { own, grams } = featuresOf(word);
    add(vector, own, weight * WORD_WEIGHT);
    add(vector, grams, (weight * GRAMS_WEIGHT) / Math.sqrt(grams.length / SEEDS.length));
  }
  return normalised(vector);
}

/** Positions of a word's features in the vector: counted from 1, negative where they are subtracted. */
interface Features {
  own: Int16Array;
  grams: Int16Array;
}

/** Texts share most of their words. A text of more characters is no word, and its features would take megabytes. */
const WORDS_CACHED = 20_000;
const WORD_CACHED_MAX_CHARACTERS = 40;
const featuresOf = cached(
  WORDS_CACHED,
  (word): Features => ({ own: positionsOf([`=${word}`]), grams: positionsOf(gramsOf(word)) }),
  WORD_CACHED_MAX_CHARACTERS,
);

function gramsOf(word: string): string[] {
  const framed = `^${word}$`;
  const starts: number[] = [];
  for (let i = 0; i < framed.length; i += (framed.codePointAt(i) ?? 0) > 0xffff ? 2 : 1) starts.push(i);
  starts.push(framed.length);
  return [3, 4].flatMap((size) => starts.slice(size).map((end, i) => framed.slice(starts[i], end)));
}

/** Two positions per feature: one hash collision cannot make two texts similar. */
const SEEDS = [0x811c9dc5, 0x9747b28c];

function positionsOf(texts: string[]): Int16Array {
  const positions = new Int16Array(texts.length * SEEDS.length);
  texts.forEach((text, i) => {
    SEEDS.forEach((seed, k) => {
      const hash = hashOf(text, seed);
      const position = (hash % EMBEDDING_DIMENSIONS) + 1;
      positions[i * SEEDS.length + k] = hash & 0x10000 ? position : -position;
    });
  });
  return positions;
}

function add(vector: Float64Array, positions: Int16Array, weight: number): void {
  for (const position of positions) {
    const at = (position < 0 ? -position : position) - 1;
    vector[at] = (vector[at] ?? 0) + (position < 0 ? -weight : weight);
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
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0)) || 1;
  return Array.from(vector, (x) => x / length);
}

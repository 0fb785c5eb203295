// Ranking of texts by the words of a query (BM25): one measure of similarity for the step `fetch` and the offline
// model.
import { contentWords, wordsOf } from './words.ts';

/** How much repeating a word counts, and how much long texts are penalized (the usual constants of BM25). */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/**
 * The documents that contain at least one word of the query, best first (BM25; ties in the given order), scores above
 * 0. A query without any word matches nothing.
 */
export function rankByWords(
  query: string,
  docs: readonly { id: string; text: string }[],
): { id: string; score: number }[] {
  const terms = [...new Set(contentWords(query))];
  if (terms.length === 0) return [];
  const counted = docs.map(({ id, text }) => ({ id, ...countTerms(terms, wordsOf(text)) }));
  const meanLength = counted.reduce((sum, doc) => sum + doc.length, 0) / Math.max(1, counted.length) || 1;
  const rarity = terms.map((_, i) => {
    const holders = counted.filter((doc) => (doc.counts[i] ?? 0) > 0).length;
    return Math.log(1 + (counted.length - holders + 0.5) / (holders + 0.5));
  });
  return counted
    .map(({ id, counts, length }) => {
      const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / meanLength);
      const score = counts.reduce(
        (sum, n, i) => sum + ((rarity[i] ?? 0) * n * (SATURATION + 1)) / (n + norm),
        0,
      );
      return { id, score };
    })
    .filter((doc) => doc.score > 0)
    .sort((a, b) => b.score - a.score);
}

function countTerms(terms: string[], words: string[]): { counts: number[]; length: number } {
  const counts = terms.map(() => 0);
  const positions = new Map(terms.map((term, i) => [term, i]));
  for (const word of words) {
    const position = positions.get(word);
    if (position !== undefined) counts[position] = (counts[position] ?? 0) + 1;
  }
  return { counts, length: words.length };
}

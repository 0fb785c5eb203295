// How well an item matches some words: the similarity used for ranking, picking and writing.
import type { ModelItem } from '#models/tasks/model-task.ts';
import { rankByWords } from '#platform/lexical-ranking.ts';
import { contentWords, wordsOf } from '#platform/words.ts';
import { textOf } from './items.ts';
import { COMMANDS, FILLERS } from './vocabulary.ts';

/** The words of a request that name things, without commands and fillers. */
export function subjectWords(text: string): string[] {
  return [...new Set(contentWords(text))].filter((word) => !COMMANDS.has(word) && !FILLERS.has(word));
}

/** Whether two folded words are equal or share a root (`german`, `germany`). */
export function akin(a: string, b: string): boolean {
  if (a === b) return true;
  const short = Math.min(a.length, b.length);
  if (short < 5 || Math.abs(a.length - b.length) > 4) return false;
  let shared = 0;
  while (shared < short && a[shared] === b[shared]) shared++;
  return shared >= 5 && shared >= 0.75 * Math.max(a.length, b.length) - 1;
}

/** The share of the words that occur in an item's text, 0 to 1; 0 without words. */
export function coverage(words: string[], text: string): number {
  return words.length === 0 ? 0 : coverageOf(words, wordsOf(text));
}

/** The same of the words of a text. */
export function coverageOf(words: string[], own: string[]): number {
  if (words.length === 0) return 0;
  return words.filter((word) => own.some((candidate) => akin(word, candidate))).length / words.length;
}

/** The items, best match first; the others follow in the given order. */
export function bestFirst<T extends ModelItem>(words: string[], items: T[]): T[] {
  const docs = items.map((item, i) => ({ id: String(i), text: textOf(item) }));
  const ranked = rankByWords(words.join(' '), docs).flatMap(({ id }) => items[Number(id)] ?? []);
  const chosen = new Set(ranked);
  return [...ranked, ...items.filter((item) => !chosen.has(item))];
}

/** Sentences that contain one of the words, in order, at most `limit`; the first sentences when none does. */
export function tellingSentences(words: string[], texts: string[], limit: number): string[] {
  const sentences = texts.flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/)).map((line) => line.trim());
  const real = sentences.filter(
    (line) => /[\p{L}\p{N}]/u.test(line) && !/^[#*-]/.test(line) && isWhole(line),
  );
  const telling = real.filter((line) => coverage(words, line) > 0);
  return (telling.length > 0 ? telling : real).slice(0, limit);
}

/** Whether no record link is cut in two. */
function isWhole(line: string): boolean {
  return line.split('[').length === line.split(']').length;
}

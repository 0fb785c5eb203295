// Texts in the form in which names are compared, independent of typing.
import { fold } from '#platform/words.ts';

/** Folded, without signs, words separated by one space. */
export function plain(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Signs that are part of a name: C++, C#, ★. */
const SYMBOLS = /[\p{Sm}\p{Sc}\p{So}#]+/gu;
const ANY_SIGNS = /[^\s\p{L}\p{M}\p{N}]+/gu;

/** The runs of signs that a search asks for: symbols, and all others when it has no word. */
export function signsIn(text: string): string[] {
  return fold(text).match(plain(text) === '' ? ANY_SIGNS : SYMBOLS) ?? [];
}

/** Every run of words of a plain text whose number of words is among `lengths`, each once. */
export function runsOfWords(text: string, lengths: number[]): string[] {
  const words = text === '' ? [] : text.split(' ');
  return [
    ...new Set(
      lengths.flatMap((length) =>
        words
          .slice(0, Math.max(0, words.length - length + 1))
          .map((_, i) => words.slice(i, i + length).join(' ')),
      ),
    ),
  ];
}

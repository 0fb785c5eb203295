// Field values in a query, each replaced by a mark that counts as one word: "New York" is one test, not two.
import type { MentionedValue, Outline } from '#contract/record-queries.ts';
import { fold, isStopWord, stem } from '#platform/words.ts';
import { keyWords } from './items.ts';
import { typeMentions, wordsWithPositions } from './type-mentions.ts';
import { COMMANDS, FILLERS } from './vocabulary.ts';

export interface MarkedText {
  text: string;
  /** The values that each mark stands for, by mark. */
  marks: Map<string, MentionedValue[]>;
}

/** A letter that no query uses; two more letters distinguish the marks. Words this short are never stemmed. */
const MARK = 'ꙮ';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const MARKS_MAX = LETTERS.length ** 2;

/** After these words even a stop word is a value: "people in IT". */
const LEADS_TO_VALUE = new Set(['in', 'at', 'from', 'is', 'are', 'as']);

interface Span {
  start: number;
  end: number;
  values: MentionedValue[];
}

/** Replaces the values that a text mentions, longest first; marks already in the text are removed. */
export function markValues(text: string, values: MentionedValue[], shape: Outline): MarkedText {
  const clean = text.replaceAll(MARK, ' ');
  const spans = spansOf(clean, values, shape).slice(0, MARKS_MAX);
  const marks = new Map<string, MentionedValue[]>();
  let marked = '';
  let done = 0;
  spans.forEach((span, i) => {
    const mark = `${MARK}${LETTERS[Math.floor(i / LETTERS.length)]}${LETTERS[i % LETTERS.length]}`;
    marks.set(mark, span.values);
    marked += `${clean.slice(done, span.start)}${mark}`;
    done = span.end;
  });
  return { text: marked + clean.slice(done), marks };
}

/** The positions of the values, in order, without overlaps. */
function spansOf(text: string, values: MentionedValue[], shape: Outline): Span[] {
  const words = wordsWithPositions(text);
  const spelled = Map.groupBy(values, ({ value }) => wordsIn(value).join(' '));
  const longestFirst = [...spelled].toSorted(([a], [b]) => b.split(' ').length - a.split(' ').length);
  const spans: Span[] = [];
  for (const [spelling, same] of longestFirst) {
    const own = spelling.split(' ');
    const plain = isPlainWord(own, shape);
    for (let i = 0; spelling !== '' && i + own.length <= words.length; i++) {
      const [first, last] = [words[i], words[i + own.length - 1]];
      if (!first || !last || !own.every((word, k) => words[i + k]?.word === word)) continue;
      const apart = spans.every(({ start, end }) => last.end <= start || end <= first.start);
      const [before, after] = [words[i - 1]?.word, words[i + own.length]?.word];
      if (apart && (!plain || meansValue(before, after, same)))
        spans.push({ start: first.start, end: last.end, values: same });
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

function wordsIn(value: string): string[] {
  return wordsWithPositions(value).map(({ word }) => word);
}

/** Whether the words may well not be a value: a number, a type, a word about the asking. */
function isPlainWord(words: string[], shape: Outline): boolean {
  if (words.every((word) => /^\d+$/.test(word)) || typeMentions(words.join(' '), shape).length > 0)
    return true;
  const fields = new Set(
    shape.types.flatMap(({ fields: known }) => known.flatMap(({ path }) => keyWords(path))),
  );
  return words.every((word) => {
    const root = stem(word);
    return isStopWord(word) || COMMANDS.has(root) || FILLERS.has(root) || fields.has(root);
  });
}

/** A plain word is a value only next to a word that leads to one, or to the name of its field. */
function meansValue(
  before: string | undefined,
  after: string | undefined,
  values: MentionedValue[],
): boolean {
  if (before !== undefined && LEADS_TO_VALUE.has(before)) return true;
  const fields = values.flatMap(({ path }) => keyWords(path));
  return [before, after].some((word) => word !== undefined && fields.includes(stem(fold(word))));
}

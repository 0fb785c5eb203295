// How long a question takes to be understood: over many records, and of the longest texts that a query may be.
import type { Row } from '#domain/evaluation/truth.ts';
import { indexOf } from './ask.ts';
import { shop } from './shop.ts';

const CHARACTERS = 4000;
export const QUESTION_MS_MAX = 50;
export const LONGEST_MS_MAX = 100;

/** Texts of the greatest length, each hard on another part of a reader. */
const longest: Record<string, string> = Object.fromEntries(
  Object.entries({
    one_word: 'a',
    words: 'lorem ipsum dolor sit amet ',
    types: 'orders products customers ',
    conditions: 'orders with a total over 100 and ',
    choices: 'shipped or paid or cancelled or ',
    negations: 'not not no without ',
    brackets: '((((',
    quotes: '"a \' "',
    numbers: '-1.5 20,5% 3k ',
    digits: '9',
    dates: 'in March 2025 or last month or Q2 2026 ',
    superlatives: 'the 3 largest of the top 5 smallest ',
    groups: 'per city and by status for each ',
    han: '红楼梦',
    thai: 'ข้างหลังภาพ ',
    marks: 'भारत ',
    emoji: '🙂🙃 ',
    commas: 'a, ',
    blanks: '  \t',
  }).map(([name, part]) => [name, part.repeat(Math.ceil(CHARACTERS / part.length)).slice(0, CHARACTERS)]),
);

export interface Times {
  question_median_ms: number;
  question_slowest_ms: number;
  /** By kind of text. */
  longest_ms: Record<string, number>;
}

/** Measured over about this many records of the shop. */
export function timesOver(seed: number, records: number): Times {
  const { rows, questions } = shop(seed);
  const many = Array.from({ length: Math.ceil(records / rows.length) }, (_, k) =>
    rows.map((row): Row => (k === 0 ? row : { ...row, name: `${row.name} ${k}` })),
  ).flat();
  const ask = indexOf(many);
  const times = questions.map(([text]) => medianOf(ask, text)).toSorted((a, b) => a - b);
  return {
    question_median_ms: times[Math.floor(times.length / 2)] ?? 0,
    question_slowest_ms: times.at(-1) ?? 0,
    longest_ms: Object.fromEntries(
      Object.entries(longest).map(([name, text]) => [name, medianOf(ask, text)]),
    ),
  };
}

/** Of three times, so that a collection of garbage does not count. */
function medianOf(ask: ReturnType<typeof indexOf>, text: string): number {
  const [, median = 0] = [1, 2, 3].map(() => ask(text).understanding_ms).toSorted((a, b) => a - b);
  return Math.round(median * 10) / 10;
}

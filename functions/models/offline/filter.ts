// Filtering: one verdict per item. Each sentence of the instructions is read as a question over the shape of the batch.
import { membersOf, type Where } from '#contract/conditions.ts';
import { valuesByPath } from '#contract/field-paths.ts';
import { meetsEach } from '#models/meets.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { wordsOf } from '#platform/words.ts';
import { outlineOf, valuesIn } from './batch.ts';
import type { Question } from './query/question.ts';
import { readOver } from './query/read-query.ts';
import { type Token, tokensOf } from './query/tokens.ts';
import { akin, subjectWords } from './relevance.ts';

/** `keep`: items must match. `remove`: matching items are dropped. `prefer`: affects the order only. */
type Mood = 'keep' | 'remove' | 'prefer';

const MOODS: readonly (readonly [Mood, string])[] = [
  ['keep', 'keep retain select choose pick include take'],
  ['remove', 'remove drop discard omit ignore reject skip delete avoid eliminate'],
  [
    'prefer',
    'prefer rank sort order score prioritize prioritise favor favour ideally explain respond answer note remember',
  ],
];
const moods = new Map(
  MOODS.flatMap(([mood, words]) => words.split(' ').map((word) => [word, mood] as const)),
);
const COMMAND = [...moods.keys()].join('|');
/** Full stops, and where another command begins: "…, but remove those in Bonn". */
const SENTENCES = new RegExp(
  `[.!?;](?:\\s+|$)|\\n+|(?:,\\s*|\\s)(?:but |and |then )?(?=(?:${COMMAND})\\b)`,
  'i',
);
const HEAD = new RegExp(`^\\W*(?:(?:please|then|also|and|but|only)\\s+)*(${COMMAND})\\b`, 'i');

interface Sentence {
  mood: Mood;
  question: Question;
  /** The conditions that must all hold. */
  conditions: Where[];
  /** Words that no item has: none is what they say. */
  unmet: boolean;
}

/**
 * The words that no clause reads, without those that stand in a list with a value that items have: of "in Germany or
 * Austria" Austria is another value of that field, which no item of this batch has. It is written as the value is, with
 * a capital or without: of "in Germany, profitable or listed" neither word is a country.
 */
function unreadIn(text: string, { where, not_understood }: Question): string[] {
  const said = tokensOf(text);
  const tokens = said.map(({ word }) => word);
  if (!where || !tokens.some((token) => token === 'or' || token === 'nor')) return not_understood;
  const values = textsOf(where).flatMap((value) => writtenIn(said, value));
  const joins = (at: number) => [',', 'or', 'nor'].includes(tokens[at] ?? '');
  return not_understood.filter((words) => {
    const [first, ...more] = tokensOf(words);
    const at = said.findIndex((_, i) => [first, ...more].every((one, n) => one?.word === tokens[i + n]));
    const isListed = joins(at - 1) || joins(at + more.length + 1);
    const isLike = values.some((value) => isCapital(value.text) === isCapital(first?.text ?? ''));
    return first?.word !== 'neither' && !(at >= 0 && isListed && isLike);
  });
}

const isCapital = (word: string) => /^[\p{Lu}\p{Lo}\p{N}]/u.test(word);

/** Where the instruction has the value, or a word of its root: its first word. */
const writtenIn = (said: readonly Token[], value: string): Token[] =>
  said.filter(({ word }) => wordsOf(value).some((own) => akin(word, own)));

/** The whole texts that a condition asks for. */
function textsOf(where: Where): string[] {
  if ('or' in where) return where.or.flatMap(textsOf);
  if ('and' in where) return where.and.flatMap(textsOf);
  if ('not' in where) return textsOf(where.not);
  if (where.op !== '=' && where.op !== 'in') return [];
  return [where.value].flat().flatMap((value) => (typeof value === 'string' ? [value] : []));
}

/** Judges each item alone. The score is its rank in the requested order, else the share of conditions it meets. */
export function filter({ instructions, items }: InputOf<'filter'>): OutputOf<'filter'> {
  const shape = outlineOf(items);
  const values = valuesIn(items);
  const sentences = instructions.split(SENTENCES).flatMap((text): Sentence[] => {
    if (text.trim() === '') return [];
    const head = HEAD.exec(text);
    const query = head ? text.slice(head[0].length) : text;
    const question = readOver(
      { query, shape, values: [], candidates: [], other_sources: [], today: '' },
      values,
    );
    return [
      {
        mood: moods.get(head?.[1]?.toLowerCase() ?? '') ?? 'keep',
        question,
        conditions: question.where ? membersOf(question.where) : [],
        unmet: subjectWords(unreadIn(query, question).join(' ')).length > 0,
      },
    ];
  });
  const order = sentences.flatMap(({ question }) => question.sort)[0];
  return {
    verdicts: items.map((item) => ({
      keep: sentences.every((sentence) => keeps(item, sentence)),
      score: order ? standing(item, order.field, order.direction !== 'asc') : fitOf(item, sentences),
    })),
  };
}

function keeps(item: ModelItem, { mood, question, conditions, unmet }: Sentence): boolean {
  const isTyped = question.types.includes(item.type);
  const meets = isTyped && !unmet && meetsEach(item, conditions).every(Boolean);
  const says = conditions.length > 0 || unmet || question.isTyped;
  return mood === 'prefer' || !says || meets === (mood === 'keep');
}

/** The share of what is asked for that the item meets, words that no item has included; 1 if nothing is. */
function fitOf(item: ModelItem, sentences: readonly Sentence[]): number {
  const asking = sentences.filter(({ mood }) => mood !== 'remove');
  const wanted = asking.flatMap(({ conditions }) => conditions);
  const all = wanted.length + asking.filter(({ unmet }) => unmet).length;
  return all === 0 ? 1 : meetsEach(item, wanted).filter(Boolean).length / all;
}

/** The item's value squeezed into 0 to 1, so that batches can be merged; 0 without a value. */
function standing(item: ModelItem, field: string, descending: boolean): number {
  const value = valuesByPath(item.fields).get(field)?.value;
  const number = typeof value === 'string' ? Date.parse(value) : Number(value);
  if (value === undefined || Number.isNaN(number)) return 0;
  const size = Math.log1p(Math.abs(number));
  const position = 0.5 + (Math.sign(number) * size) / (1 + size) / 2.001;
  return descending ? position : 1 - position;
}

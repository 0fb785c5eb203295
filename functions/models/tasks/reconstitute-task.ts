// The task `reconstitute`: writes the answer of a run.
import type { JsonObject } from '#contract/json.ts';
import { type AnswerSchema, formOf, text } from './answer-schema.ts';
import { memberIn, membersIn, textIn } from './as-meant.ts';
import { fitItems, fitTexts, sizeOf } from './fit.ts';
import { defineTask, LINKS, type ModelItem, type Shown, shortened } from './model-task.ts';
import { linkIds } from './short-ids.ts';

export interface Input {
  instructions: string;
  run_title: string;
  items: ModelItem[];
  /** The number of items of each type; `items` holds the first of them. */
  found: { type: string; count: number }[];
  context: string[];
  /** Findings over groups of items that are all items together; `items` is empty then. */
  findings?: string[];
  /** Titles of the requested text artifacts, in order. */
  text_titles: string[];
  table_wanted: boolean;
  max_tokens: number;
}

/** `table_title` is '' unless a table is requested. */
export interface Output {
  message: string;
  texts: { title: string; content: string }[];
  table_title: string;
}

const idsOf = ({ items, context, findings = [] }: Input) => linkIds(items, [...context, ...findings]);
const textKey = (i: number) => `text_${i + 1}`;

export const prompt = [
  'Write the answer to the request from the items and the context. `found` counts all items, of which `items` are the first; items of type',
  '`group` are groups of records with exact numbers over all of them: give those numbers as they are. `findings`, where given, are over groups',
  'which together are all items. Claim no more than was read: no sum over a part of the items, nothing that no item says.',
  '- `message`: the short narrative answer.',
  '- `texts`, where `text_titles` are given: the long texts, `text_1` for the first title and so on, without the title itself.',
  '- `table_title`, where `table_wanted`: a name for the table of items.',
  LINKS,
  'For example: {"message":"Two companies are in Berlin: [Acme](entity=r1) and [Bolt](entity=r2)."}, or with one title and a table:',
  '{"message":"None of the 5 orders is late.","texts":{"text_1":"All 5 orders came in time."},"table_title":"Orders"}.',
].join('\n');

export function shown(input: Input): Shown {
  const { instructions, run_title, items, found, context, findings, text_titles, table_wanted, max_tokens } =
    input;
  const ids = idsOf(input);
  return {
    data: {
      found,
      context: context.map((one) => ids.shorten(one)),
      items: items.map((item, index) => ({ index, ...ids.item(item) })),
      ...(findings && { findings: findings.map((one) => ids.shorten(one)) }),
    },
    request: { instructions, run_title, text_titles, table_wanted, max_tokens },
  };
}

/** The properties of the words of an answer. */
export function wordsFor({ text_titles, table_wanted }: Input): Record<string, AnswerSchema> {
  const texts = Object.fromEntries(text_titles.map((_, i) => [textKey(i), text]));
  return {
    message: text,
    ...(text_titles.length > 0 && { texts: formOf(texts) }),
    ...(table_wanted && { table_title: text }),
  };
}

/** The words of an answer, or what is wrong with them. */
export function wordsIn(answer: JsonObject, input: Input): Output | string {
  const { text_titles, table_wanted, run_title } = input;
  const ids = idsOf(input);
  const written = textsIn(memberIn(answer, 'texts'), text_titles).map((one) => ids.restore(one));
  const message = ids.restore(textIn(memberIn(answer, 'message'))) || beginningOf(written[0] ?? '');
  if (message === '') return 'There is no message.';
  if (written.length < text_titles.length)
    return `There must be exactly ${text_titles.length} texts, in the order of text_titles.`;
  return {
    message,
    texts: text_titles.map((title, i) => ({ title, content: written[i] ?? '' })),
    table_title: table_wanted ? textIn(memberIn(answer, 'table_title')) || run_title : '',
  };
}

/** The texts in order, as many as there are: by name, by title, or in a list. */
function textsIn(given: unknown, titles: string[]): string[] {
  const textOf = (one: unknown) => textIn(memberIn(one, 'content') ?? one);
  if (Array.isArray(given)) return given.map(textOf);
  if (typeof given === 'string') return [given.trim()];
  const found = titles.map((title, i) => memberIn(given, textKey(i)) ?? memberIn(given, title));
  const members = found.includes(undefined) ? Object.values(membersIn(given)) : found;
  return members.map(textOf);
}

/** The first paragraph that is no heading. */
function beginningOf(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).map((one) => one.trim());
  return paragraphs.find((one) => one !== '' && !one.startsWith('#')) ?? '';
}

export function halfOf<T extends Input>({ items, context, findings, ...rest }: T) {
  const kept = fitItems(items, sizeOf(items) / 2);
  return {
    shorter: {
      ...rest,
      items: kept.items,
      context: fitTexts(context, sizeOf(context) / 2).texts,
      ...(findings && { findings: fitTexts(findings, sizeOf(findings) / 2).texts }),
    },
    left_out: kept.left_out,
    of: items.length,
  };
}

export const reconstitute = defineTask<Input, Output>({
  prompt,
  shown,
  answerFor: (input) => formOf(wordsFor(input)),
  judge: wordsIn,
  halved(input) {
    const { shorter, ...counts } = halfOf(input);
    return shortened(shorter, counts);
  },
});

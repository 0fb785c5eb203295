// The task `reconstitute`: writes the answer of a run.
import * as z from 'zod';
import { defineTask, LINKS, type ModelItem, Text } from './task.ts';

export interface Input {
  instructions: string;
  run_title: string;
  items: ModelItem[];
  /** The number of items of each type; `items` holds the first of them. */
  found: { type: string; count: number }[];
  context: string[];
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

export const Answer = z.object({
  message: Text,
  texts: z.array(z.object({ content: Text })),
  table_title: z.string(),
});

export const reconstitute = defineTask<Input, Output, typeof Answer>({
  prompt:
    'Write the answer to the request from the items and the context. `found` counts all items, of which `items` are the first; items of type ' +
    '`group` are groups of records with exact numbers over all of them: give those numbers as they are. Claim no more than was read: no sum over a part of the items, nothing that no item says. `message` is the short narrative answer. `texts` are the long texts ' +
    `wanted, one per title in \`text_titles\` and in that order, without the title itself. \`table_title\` names the table of items. ${LINKS}`,
  request: ['instructions', 'run_title', 'text_titles', 'table_wanted', 'max_tokens'],
  answer: Answer,
  judge({ message, texts, table_title }, { text_titles, table_wanted, run_title }) {
    if (texts.length !== text_titles.length)
      return `There must be exactly ${text_titles.length} texts, in the order of text_titles.`;
    return {
      message,
      texts: texts.map(({ content }, i) => ({ title: text_titles[i] ?? '', content })),
      table_title: table_wanted ? table_title || run_title : '',
    };
  },
});

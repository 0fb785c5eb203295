// The task `analyze`: written findings over items.
import * as z from 'zod';
import { defineTask, LINKS, type ModelItem, Text } from './task.ts';

interface Input {
  instructions: string;
  focus: string;
  items: ModelItem[];
  /** The number of items of each type; `items` holds the first of them. */
  found: { type: string; count: number }[];
  context: string[];
  max_tokens: number;
}

interface Output {
  findings: string;
}

const Answer = z.object({ findings: Text });

export const analyze = defineTask<Input, Output, typeof Answer>({
  prompt:
    'Write findings over the items as the request asks: what stands out, how groups and numbers compare, what follows. `found` counts all ' +
    `items, of which \`items\` are the first: when there are more, give no sum and say over how many of how many each number holds. ${LINKS}`,
  request: ['instructions', 'focus', 'max_tokens'],
  answer: Answer,
  judge: (answer) => answer,
});

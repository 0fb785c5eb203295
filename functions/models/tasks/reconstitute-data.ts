// The task `reconstitute_data`: writes the answer of a run, and which items its data are made of. The message and the
// references come in one call: the items are most of a prompt, and would be paid for twice.
import * as z from 'zod';
import type { OutputSchema } from '#contract/output-schema.ts';
import { type Input as Asked, reconstitute, type Output as Said, Answer as Words } from './reconstitute.ts';
import { defineTask } from './task.ts';

const Index = z.number().int();

/** Which values make the data. The service fills them in: no value of a record is in an answer. */
const References = z.object({
  lists: z.array(
    z.object({ path: z.string(), step_index: Index.nullable(), items: z.array(Index).nullable() }),
  ),
  columns: z.array(z.object({ path: z.string(), field: z.string() })),
  values: z.array(
    z.object({
      path: z.string(),
      from: z.enum(['item', 'count', 'text', 'message']),
      item: Index.nullable(),
      field: z.string().nullable(),
      step_index: Index.nullable(),
      text: z.string().nullable(),
    }),
  ),
});
export type References = z.infer<typeof References>;

/** A step that yields items. */
export interface YieldingStep {
  step_index: number;
  items: number;
  /** The index of its only item. */
  only_item?: number;
  /** The measure that counts the records of its only group. */
  count_field?: string;
}

interface Input extends Asked {
  output_schema: OutputSchema;
  /** In order. */
  steps: YieldingStep[];
  /** What is wrong with an answer once its values are filled in; undefined if it holds. Not shown to a model. */
  faultsIn(answer: Output): Promise<string | undefined>;
}

interface Output extends Said {
  references: References;
}

const Answer = Words.extend(References.shape);

export const reconstituteData = defineTask<Input, Output, typeof Answer>({
  prompt: [
    reconstitute.prompt,
    'Also say which values make data of `output_schema`. Never write a value of an item: name the item by its `index` and the field, and the',
    'service fills the value in. `path` is a JSON Pointer into the data.',
    '- `lists`: for each array of objects its elements, one for each item: `items` are indexes, in order; or `items` null and `step_index` a',
    '  step of `steps`, for all its items. A property without an entry in `columns` or `values` takes the field of the same name.',
    '- `columns`: the field of a property that has another name, for all elements; in `path`, `*` stands for the index of an element.',
    '- `values`: a single place. `from` `item`: the `field` of `item` (null: the item of the element; field null: of the same name). `count`:',
    '  the number of items of the step `step_index`. `message`: your `message`. `text`: your own words, only for strings that no item has.',
    'Leave out what no item says. Unused fields are null.',
  ].join('\n'),
  request: [...reconstitute.request, 'output_schema'],
  answer: Answer,
  async judge(answer, input) {
    const said = await reconstitute.judge(answer, input);
    if (!said.ok) return said.complaint;
    const { lists, columns, values } = answer;
    const output = { ...said.output, references: { lists, columns, values } };
    return (await input.faultsIn(output)) ?? output;
  },
});

// The task `reconstitute_data`: writes the answer of a run, and which items its data are made of. The message and the
// references come in one call: the items are most of a prompt, and would be paid for twice.
import * as z from 'zod';
import type { OutputSchema } from '#contract/output-schema.ts';
import { formOf, listOf, oneOf, orNull, text, whole } from './answer-schema.ts';
import { listIn, memberIn, numberIn, textIn } from './as-meant.ts';
import { defineTask, shortened } from './model-task.ts';
import {
  type Input as Asked,
  halfOf,
  prompt,
  type Output as Said,
  shown,
  wordsFor,
  wordsIn,
} from './reconstitute-task.ts';

const origins = ['item', 'count', 'text', 'message'] as const;
const Origin = z.enum(origins);

/** Which values make the data. The service fills them in: no value of a record is in an answer. */
export interface References {
  lists: { path: string; step_index: number | null; items: number[] | null }[];
  columns: { path: string; field: string }[];
  values: {
    path: string;
    from: (typeof origins)[number];
    item: number | null;
    field: string | null;
    step_index: number | null;
    text: string | null;
  }[];
}

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

const wholeOrNull = orNull(whole);
const textOrNull = orNull(text);

export const reconstituteData = defineTask<Input, Output>({
  prompt: [
    prompt,
    'Also say which values make data of `output_schema`. Never write a value of an item: name the item by its `index` and the field, and the',
    'service fills the value in. `path` is a JSON Pointer into the data.',
    '- `lists`: for each array of objects its elements, one for each item: `items` are indexes, in order; or `items` null and `step_index` a',
    '  step of `steps`, for all its items. A property without an entry in `columns` or `values` takes the field of the same name.',
    '- `columns`: the field of a property that has another name, for all elements; in `path`, `*` stands for the index of an element.',
    '- `values`: a single place. `from` `item`: the `field` of `item` (null: the item of the element; field null: of the same name). `count`:',
    '  the number of items of the step `step_index`. `message`: your `message`. `text`: your own words, only for strings that no item has.',
    'Leave out what no item says. Unused fields are null. For example, for all items of step 2 in an array `rows` whose property `town` is the',
    'field `city`: {"lists":[{"path":"/rows","step_index":2,"items":null}],"columns":[{"path":"/rows/*/town","field":"city"}],"values":[]};',
    'for their number in `total`: {"lists":[],"columns":[],"values":[{"path":"/total","from":"count","item":null,"field":null,"step_index":2,"text":null}]}.',
  ].join('\n'),
  shown(input) {
    const { data, request } = shown(input);
    const { output_schema, steps } = input;
    return { data: { ...data, steps }, request: { ...request, output_schema } };
  },
  answerFor: (input) =>
    formOf({
      ...wordsFor(input),
      lists: listOf(formOf({ path: text, step_index: wholeOrNull, items: orNull(listOf(whole)) })),
      columns: listOf(formOf({ path: text, field: text })),
      values: listOf(
        formOf({
          ...{ path: text, from: oneOf(origins), item: wholeOrNull, field: textOrNull },
          ...{ step_index: wholeOrNull, text: textOrNull },
        }),
      ),
    }),
  async judge(answer, input) {
    const said = wordsIn(answer, input);
    if (typeof said === 'string') return said;
    const references = referencesIn(answer);
    if (typeof references === 'string') return references;
    const output = { ...said, references };
    return (await input.faultsIn(output)) ?? output;
  },
  halved(input) {
    const { shorter, ...counts } = halfOf(input);
    return shortened(shorter, counts);
  },
});

const wholeIn = (value: unknown): number | null => {
  const number = numberIn(value);
  return number !== undefined && Number.isInteger(number) ? number : null;
};
/** As written: a name may begin with a space. */
const rawIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNullIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Where an answer has something else than an index. */
const NO_ITEM = -1;

function referencesIn(answer: unknown): References | string {
  const lists = listIn(memberIn(answer, 'lists')).map((list) => {
    const items = memberIn(list, 'items') ?? null;
    return {
      path: rawIn(memberIn(list, 'path')),
      step_index: wholeIn(memberIn(list, 'step_index')),
      items: items === null ? null : listIn(items).map((item) => wholeIn(item) ?? NO_ITEM),
    };
  });
  if (lists.some(({ items }) => items?.includes(NO_ITEM)))
    return 'The items of a list are whole numbers: their indexes.';
  const columns = listIn(memberIn(answer, 'columns')).map((column) => ({
    path: rawIn(memberIn(column, 'path')),
    field: rawIn(memberIn(column, 'field')),
  }));
  const values = listIn(memberIn(answer, 'values')).flatMap((value) => {
    const from = Origin.safeParse(textIn(memberIn(value, 'from')).toLowerCase());
    if (!from.success) return [];
    return {
      path: rawIn(memberIn(value, 'path')),
      from: from.data,
      item: wholeIn(memberIn(value, 'item')),
      field: textOrNullIn(memberIn(value, 'field')),
      step_index: wholeIn(memberIn(value, 'step_index')),
      text: textOrNullIn(memberIn(value, 'text')),
    };
  });
  const given = listIn(memberIn(answer, 'values')).length;
  return values.length < given ? `from must be one of: ${origins.join(', ')}.` : { lists, columns, values };
}

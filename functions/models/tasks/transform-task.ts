// The task `transform`: writes new fields for one item.
import type { Json } from '#contract/json.ts';
import { type AnswerSchema, formOf, listOf, text } from './answer-schema.ts';
import { folded, listIn, memberIn, membersIn, textIn } from './as-meant.ts';
import { fitItem, sizeOf } from './fit.ts';
import { defineTask, type ModelItem, shortened } from './model-task.ts';

interface Input {
  instructions: string;
  item: ModelItem;
  output_fields: string[];
}

interface Output {
  fields: Record<string, Json>;
}

const value: AnswerSchema = {
  anyOf: [text, { type: 'number' }, { type: 'boolean' }, { type: 'null' }, listOf(text)],
};

/** What some providers allow as the name of a property. */
const PLAIN_NAME = /^[\w.-]{1,64}$/;

/** The name of a field in the answer. */
const keyOf = (field: string, i: number) => (PLAIN_NAME.test(field) ? field : `field_${i + 1}`);

export const transform = defineTask<Input, Output>({
  prompt: [
    'Write one value for each of `output_fields` from the one item given, as the request says: a text, a number, true, false or a list of',
    'texts; null when the item tells nothing of it. `values` has them under the names of the fields. For example, asked for `country` and',
    '`staff` of {"name":"Acme","fields":{"city":"Berlin"}}: {"values":{"country":"Germany","staff":null}}; asked for `tags` of',
    '{"name":"Bolt","fields":{"about":"Pays bills, sells loans"}}: {"values":{"tags":["payments","loans"]}}.',
  ].join('\n'),
  shown: ({ instructions, item: { id: _, ...item }, output_fields }) => ({
    data: { item },
    request: {
      instructions,
      output_fields: output_fields.map((field, i) =>
        PLAIN_NAME.test(field) ? field : `${keyOf(field, i)}: ${field}`,
      ),
    },
  }),
  answerFor: ({ output_fields }) =>
    formOf({ values: formOf(Object.fromEntries(output_fields.map((field, i) => [keyOf(field, i), value]))) }),
  judge(answer, { output_fields }) {
    const given = valuesIn(memberIn(answer, 'values') ?? answer);
    const found = output_fields.map(
      (field, i) => given.get(folded(keyOf(field, i))) ?? given.get(folded(field)),
    );
    const missing = output_fields.filter((_, i) => found[i] === undefined);
    if (missing.length > 0)
      return `There must be a value (or null) for each of: ${output_fields.map(keyOf).join(', ')}. Missing: ${missing.join(', ')}.`;
    return { fields: Object.fromEntries(output_fields.map((field, i) => [field, found[i]?.value ?? null])) };
  },
  halved({ item: whole, ...rest }) {
    const { item } = fitItem(whole, sizeOf(whole) / 2);
    return shortened({ ...rest, item }, { left_out: 1, of: 1 });
  },
});

/** The values by name: members, or a list of {field, value}. */
function valuesIn(given: unknown): Map<string, { value: Json }> {
  const pairs = Array.isArray(given)
    ? given.map((one): [string, unknown] => [textIn(memberIn(one, 'field')), memberIn(one, 'value')])
    : Object.entries(membersIn(given));
  return new Map(
    pairs.flatMap(([name, written]) => {
      const value = valueIn(written);
      return value === undefined ? [] : [[folded(name), { value }]];
    }),
  );
}

/** A scalar, null or a list of texts. */
function valueIn(value: unknown): Json | undefined {
  if (Array.isArray(value)) return listIn(value).map((one) => textIn(one) || JSON.stringify(one));
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  return typeof value === 'string' ? value : undefined;
}

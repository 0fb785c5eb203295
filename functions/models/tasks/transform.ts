// The task `transform`: writes new fields for one item.
import * as z from 'zod';
import type { Json } from '#contract/json.ts';
import { defineTask, type ModelItem } from './task.ts';

interface Input {
  instructions: string;
  item: ModelItem;
  output_fields: string[];
}

interface Output {
  fields: Record<string, Json>;
}

const Answer = z.object({
  values: z.array(
    z.object({
      field: z.string(),
      value: z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
    }),
  ),
});

export const transform = defineTask<Input, Output, typeof Answer>({
  prompt:
    'Write one value for each of the output fields from the one item given, as the request says. null when the item tells nothing of it.',
  request: ['instructions', 'output_fields'],
  answer: Answer,
  judge({ values }, { output_fields }) {
    const byField = new Map(values.map(({ field, value }) => [field, value]));
    const missing = output_fields.filter((field) => !byField.has(field));
    if (missing.length > 0 || values.length !== output_fields.length)
      return `There must be exactly one value for each of: ${output_fields.join(', ')}.`;
    return { fields: Object.fromEntries(output_fields.map((field) => [field, byField.get(field) ?? null])) };
  },
});

// The schema of a checkpoint: the output of a finished step.
import * as z from 'zod';
import { CardContent } from '#contract/artifacts.ts';
import { JsonObject } from '#contract/json.ts';
import type { StepOutput } from '#steps/step.ts';

/** An item in a checkpoint. */
export const Item = z.object({
  id: z.string(),
  kind: z.enum(['entity', 'note', 'artifact', 'relationship', 'text', 'group', 'external']),
  type: z.string(),
  name: z.string(),
  fields: JsonObject,
  score: z.number().optional(),
  created_at: z.number().optional(),
  updated_at: z.number().optional(),
  external_uri: z.string().optional(),
  external_id: z.string().optional(),
  written: z.array(z.object({ field: z.string(), step_index: z.number() })).optional(),
  count_field: z.string().optional(),
});

export type Item = z.infer<typeof Item>;

const ArtifactDraft = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('table'),
    title: z.string(),
    columns: z.array(z.string()),
    rows: z.array(JsonObject),
  }),
  z.object({
    kind: z.literal('text'),
    title: z.string(),
    content: z.string(),
    subject_id: z.string().optional(),
  }),
  z.object({ kind: z.literal('entity_card'), title: z.string(), content: CardContent }),
]);

const Output: z.ZodType<Omit<StepOutput, 'items'>> = z.object({
  replaces: z.array(z.number()).optional(),
  part: z.object({ matched: z.number().optional(), taken: z.number() }).optional(),
  in_vain: z.string().optional(),
  left_out: z.string().optional(),
  text: z.string().optional(),
  message: z.string().optional(),
  artifacts: z.array(ArtifactDraft).optional(),
  notes: z
    .array(z.object({ title: z.string(), content: z.string(), entity_id: z.string().nullable() }))
    .optional(),
});

const WithItems = z.object({ items: z.array(z.unknown()).optional() });

/** A checkpoint as read. Throws if it does not fit the schema. */
export function parseStepOutput(value: unknown): StepOutput {
  const output = Output.parse(value);
  const { items } = WithItems.parse(value);
  return items ? { items: items.map((item) => Item.parse(item)), ...output } : output;
}

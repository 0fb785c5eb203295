// Table of contents: every step kind and its params (Contract 4.6).
import * as z from 'zod';
import { EntityRef } from './entities.ts';
import { text, Uuid } from './json.ts';
import { limits } from './limits.ts';

const StepIndexes = z.array(z.number().int().nonnegative()).min(1).max(limits.plan_max_steps);
const EntityTypes = z.array(text(1, 100)).max(20);
const Source = text(1, 200);

/** Params per kind as a client may send them: all optional but for what `inject_context` needs. */
export const stepParams = {
  fetch: z.strictObject({
    source: Source.optional(),
    query: text(0, 2000).optional(),
    limit: z.number().int().min(1).max(10000).optional(),
    entity_types: EntityTypes.optional(),
    fields: z.array(text(1, 200)).max(50).optional(),
    sort: z.enum(['relevance', 'updated_desc', 'created_desc', 'name_asc']).optional(),
  }),
  vector_search: z.strictObject({
    query: text(0, 2000).optional(),
    source: Source.optional(),
    limit: z.number().int().min(1).max(200).optional(),
    min_score: z.number().min(0).max(1).optional(),
    entity_types: EntityTypes.optional(),
  }),
  filter: z.strictObject({
    steps_to_filter: StepIndexes.optional(),
    limit_to: z.number().int().min(1).max(10000).optional(),
  }),
  transform: z.strictObject({
    steps_to_transform: StepIndexes.optional(),
    output_fields: z.array(text(1, 200)).min(1).max(20).optional(),
    limit: z.number().int().min(1).max(limits.transform_unlimited_items).optional(),
  }),
  analyze: z.strictObject({
    context_step_ids: StepIndexes.optional(),
    focus: text(0, 500).optional(),
    max_tokens: z.number().int().min(256).max(8000).optional(),
  }),
  discover: z.strictObject({
    query: text(0, 2000).optional(),
    context_step_ids: StepIndexes.optional(),
    entity_types: EntityTypes.optional(),
    limit: z.number().int().min(1).max(100).optional(),
    depth: z.number().int().min(1).max(2).optional(),
  }),
  reconstitute: z.strictObject({
    context_step_ids: StepIndexes.optional(),
    expected_artifacts: z.array(text(1, 80)).min(1).max(10).optional(),
    max_tokens: z.number().int().min(256).max(16000).optional(),
  }),
  inject_context: z.strictObject({
    text: text(1, 20000).optional(),
    entities: z.array(EntityRef).min(1).max(50).optional(),
    note_ids: z.array(Uuid).min(1).max(50).optional(),
    artifact_ids: z.array(Uuid).min(1).max(20).optional(),
  }),
} as const;

export type StepKind = keyof typeof stepParams;
export const stepKinds = Object.keys(stepParams) as [StepKind, ...StepKind[]];

/** Params as sent. */
export type ParamsOf<K extends StepKind> = z.infer<(typeof stepParams)[K]>;

/** One line per kind for readers of the reference. */
export const stepSummaries: Record<StepKind, string> = {
  fetch: 'Retrieves records of a source, by words or all of them.',
  vector_search: 'Retrieves the records nearest in meaning to a query, with scores.',
  filter: 'Keeps the items that the instructions describe, best first.',
  transform: 'Writes new fields for each item, items in parallel.',
  analyze: 'Writes findings over the items at hand.',
  discover: 'Finds new records related to those at hand, by relationships and likeness.',
  reconstitute: 'Writes the answer: the message and the artifacts.',
  inject_context: 'Puts given text, records, notes or artifacts before later steps.',
};

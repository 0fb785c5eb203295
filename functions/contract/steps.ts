// Table of contents: every step kind (rules.md: steps). Plan, reference, credits and planner prompt derive from it.
import * as z from 'zod';
import { GroupBy, Measures, Sort, Where } from './conditions.ts';
import { EntityRef } from './entities.ts';
import { text, Uuid } from './json.ts';
import { limits } from './limits.ts';

interface StepRow {
  /** One line for the reference and for planning models. */
  summary: string;
  /** Instructions that clients may send. */
  instructions: z.ZodType;
  /** Params that clients may send; param-texts.ts describes them. */
  params: z.ZodObject;
  /** Params that a planning model may set: texts, integers or lists of texts. null: models do not plan this kind. */
  planned_params: readonly string[] | null;
}

const instructions = {
  optional: text(0, limits.step_instructions_max_characters).optional(),
  required: text(1, limits.step_instructions_max_characters),
};
const StepIndexes = z.array(z.number().int().nonnegative()).min(1).max(limits.plan_max_steps).optional();
const EntityTypes = z.array(text(1, 100)).max(20).optional();
const Source = text(1, 200).optional();
const Query = text(0, 2000).optional();
const between = (low: number, high: number) => z.number().int().min(low).max(high).optional();
const texts = (most: number, characters: number) => z.array(text(1, characters)).min(1).max(most).optional();

/** A step costs `credits`, a transform `credits_per_item` (rules.md: credits). */
export const stepTable = {
  fetch: {
    summary: 'Retrieves records of a source: all, or those that match words.',
    credits: 2,
    instructions: instructions.optional,
    params: z.strictObject({
      source: Source,
      query: Query,
      limit: between(1, limits.step_items_max),
      entity_types: EntityTypes,
      fields: z.array(text(1, 200)).max(50).optional(),
      sort: Sort.optional(),
      where: Where.optional(),
      group_by: GroupBy.optional(),
      measures: Measures.optional(),
      context_step_ids: z.array(z.number().int().nonnegative()).max(limits.plan_max_steps).optional(),
    }),
    planned_params: ['source', 'query', 'entity_types', 'limit', 'where', 'sort', 'group_by', 'measures'],
  },
  vector_search: {
    summary: 'Retrieves the records nearest in meaning to a query, with scores.',
    credits: 4,
    instructions: instructions.optional,
    params: z.strictObject({
      query: Query,
      source: Source,
      limit: between(1, 200),
      min_score: z.number().min(0).max(1).optional(),
      entity_types: EntityTypes,
      where: Where.optional(),
    }),
    planned_params: ['source', 'query', 'entity_types', 'limit', 'where'],
  },
  filter: {
    summary: 'Keeps the items that the instructions describe, best first.',
    credits: 10,
    instructions: instructions.required,
    params: z.strictObject({ steps_to_filter: StepIndexes, limit_to: between(1, limits.step_items_max) }),
    planned_params: ['limit_to'],
  },
  transform: {
    summary: 'Writes new fields for each item, items in parallel.',
    credits_per_item: 1,
    instructions: instructions.optional,
    params: z.strictObject({
      steps_to_transform: StepIndexes,
      output_fields: texts(20, 200),
      limit: between(1, limits.transform_unlimited_items),
    }),
    planned_params: ['output_fields', 'limit'],
  },
  analyze: {
    summary: 'Writes findings about the items of earlier steps.',
    credits: 20,
    instructions: instructions.optional,
    params: z.strictObject({
      context_step_ids: StepIndexes,
      focus: text(0, 500).optional(),
      max_tokens: between(256, 8000),
    }),
    planned_params: ['focus'],
  },
  discover: {
    summary: 'Finds new records related to those of earlier steps, by relationships and similarity.',
    credits: 30,
    instructions: instructions.optional,
    params: z.strictObject({
      query: Query,
      context_step_ids: StepIndexes,
      entity_types: EntityTypes,
      limit: between(1, 100),
      depth: between(1, 2),
    }),
    planned_params: ['query', 'entity_types', 'limit'],
  },
  reconstitute: {
    summary: 'Writes the answer: the message and the artifacts.',
    credits: 20,
    instructions: instructions.optional,
    params: z.strictObject({
      context_step_ids: StepIndexes,
      expected_artifacts: texts(10, 80),
      max_tokens: between(256, 16000),
    }),
    planned_params: ['expected_artifacts'],
  },
  inject_context: {
    summary:
      'Gives text, records, notes or artifacts to later steps. At least one of its params is required.',
    credits: 1,
    instructions: instructions.optional,
    params: z.strictObject({
      text: text(1, 20000).optional(),
      entities: z.array(EntityRef).min(1).max(50).optional(),
      note_ids: z.array(Uuid).min(1).max(50).optional(),
      artifact_ids: z.array(Uuid).min(1).max(20).optional(),
    }),
    planned_params: null,
  },
} as const satisfies Record<string, StepRow & ({ credits: number } | { credits_per_item: number })>;

export type StepKind = keyof typeof stepTable;
export const stepKinds = Object.keys(stepTable) as [StepKind, ...StepKind[]];
export const StepKind = z.enum(stepKinds).meta({ id: 'StepKind' });

/** Params as sent. */
export type ParamsOf<K extends StepKind> = z.infer<(typeof stepTable)[K]['params']>;

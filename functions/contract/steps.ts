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
  /** Params that clients may send; `paramTexts` describes them. */
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
      limit: between(1, 10000),
      entity_types: EntityTypes,
      fields: z.array(text(1, 200)).max(50).optional(),
      sort: Sort.optional(),
      where: Where.optional(),
      group_by: GroupBy.optional(),
      measures: Measures.optional(),
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
    params: z.strictObject({ steps_to_filter: StepIndexes, limit_to: between(1, 10000) }),
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

type ParamText = string | { description: string; default: unknown };

/** The meaning of each param, with its default. A function, so that bundles leave the texts out. */
export function paramTexts(): { [K in StepKind]: { [P in keyof ParamsOf<K>]?: ParamText } } {
  const stepsBefore = 'Indexes of the earlier steps whose items are used; defaults to the previous step.';
  const allBefore = 'Indexes of the earlier steps that are read; defaults to all of them.';
  const entity_types = 'Only records of these types.';
  const source = {
    description:
      'Where to look: `entities`, `notes`, `relationships`, `artifacts`, `global` (needs `config.xray` or `config.global_search`) or an entity type of the workspace, singular or plural. An unknown name yields no items and a warning.',
    default: 'entities',
  };
  return {
    fetch: {
      source,
      query: {
        description: 'Keeps records that match at least one of its words, best first; empty keeps all.',
        default: '',
      },
      limit: {
        description: 'Maximum number of records. To pick the best, fetch more and filter.',
        default: 100,
      },
      entity_types,
      fields: 'Only these fields of each record; defaults to all of them.',
      sort: 'Order of the items: a word, or one to three fields. Defaults to relevance if there is a query.',
      where: 'Keeps the records that meet the condition, in addition to `query`.',
      group_by:
        'Groups the records by these fields, each named once; the items are groups with their measures. A record counts under at most 1,000 groups.',
      measures:
        'What is computed for each group; defaults to one `count`. Without `group_by`, all records form one group.',
    },
    vector_search: {
      query: 'What to search for; defaults to the instructions of the step, then its title.',
      source,
      limit: { description: 'Maximum number of records.', default: 20 },
      min_score: { description: 'Records below this similarity are left out.', default: 0 },
      entity_types,
      where: 'Only records that meet the condition.',
    },
    filter: {
      steps_to_filter: stepsBefore,
      limit_to: 'Maximum number of items to keep; defaults to all that match.',
    },
    transform: {
      steps_to_transform: stepsBefore,
      output_fields: { description: 'Names of the fields to write for each item.', default: ['result'] },
      limit: {
        description: `Maximum number of items to work on; above ${limits.transform_default_items} only with \`config.unlimited_transform\`. Credits are reserved for this number and charged per item.`,
        default: limits.transform_default_items,
      },
    },
    analyze: {
      context_step_ids: allBefore,
      focus: 'What to focus on.',
      max_tokens: { description: 'Approximate length of the findings.', default: 2000 },
    },
    discover: {
      query: 'What the new records should be about; defaults to the instructions of the step.',
      context_step_ids: allBefore,
      entity_types,
      limit: { description: 'Maximum number of records.', default: 25 },
      depth: {
        description: 'Maximum number of relationships between a known record and a new one.',
        default: 1,
      },
    },
    reconstitute: {
      context_step_ids: allBefore,
      expected_artifacts: {
        description:
          'Each entry asks for one artifact: `table`, `text`, `entity_card`, or any other string as the title of a text. `NONE` asks for none. Case does not matter.',
        default: ['text'],
      },
      max_tokens: { description: 'Approximate length of the answer.', default: 4000 },
    },
    inject_context: { text: 'Text, passed on unchanged.', entities: 'Records, by reference.' },
  };
}

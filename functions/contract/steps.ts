// Table of contents: every step kind, one row each (rules.md: steps). The plan, the reference, the credits and the planner's prompt follow from it.
import * as z from 'zod';
import { GroupBy, Measures, Sort, Where } from './conditions.ts';
import { EntityRef } from './entities.ts';
import { text, Uuid } from './json.ts';
import { limits } from './limits.ts';

interface StepRow {
  /** One line for readers of the reference and for models that plan. */
  summary: string;
  /** Instructions as a client may send them. */
  instructions: z.ZodType;
  /** Params as a client may send them; `paramTexts` says what they mean. */
  params: z.ZodObject;
  /** Params that a planning model may set: texts, whole numbers or lists of texts. null: models do not plan this kind. */
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

/** Each kind costs `credits` a step, a transform `credits_per_item` (rules.md: credits). */
export const stepTable = {
  fetch: {
    summary: 'Retrieves records of a source, by words or all of them.',
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
    summary: 'Writes findings over the items at hand.',
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
    summary: 'Finds new records related to those at hand, by relationships and likeness.',
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
      'Puts given text, records, notes or artifacts before later steps. At least one of its params is needed.',
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

/** What each param means, with its default where there is one. A function, so that functions are bundled without the texts. */
export function paramTexts(): { [K in StepKind]: { [P in keyof ParamsOf<K>]?: ParamText } } {
  const stepsBefore = 'Indexes of earlier steps whose items are taken; without it, the previous step.';
  const allBefore = 'Indexes of earlier steps that are read; without it, all of them.';
  const entity_types = 'Only records of these types.';
  const source = {
    description:
      'Where to look: `entities`, `notes`, `relationships`, `artifacts`, `global` (needs `config.xray` or `config.global_search`) or an entity type of the workspace, singular or plural. An unknown name gives no items and a warning.',
    default: 'entities',
  };
  return {
    fetch: {
      source,
      query: {
        description: 'Keeps records that match one of its words or more, best first; empty keeps all.',
        default: '',
      },
      limit: {
        description: 'Most records to retrieve. For a best-of, fetch more and filter.',
        default: 100,
      },
      entity_types,
      fields: 'Only these fields of each record; without it, all of them.',
      sort: 'Order of the items: a word, or one to three fields. Without it, by relevance if there is a query.',
      where: 'Keeps the records that meet the condition, in addition to `query`.',
      group_by: 'Groups the records by these fields; the items are groups with their measures.',
      measures:
        'What is computed for each group; without it, one `count`. Without `group_by`, one group of all records.',
    },
    vector_search: {
      query: 'What to search for; without it, the instructions of the step, else its title.',
      source,
      limit: { description: 'Most records to retrieve.', default: 20 },
      min_score: { description: 'Records below this likeness are left out.', default: 0 },
      entity_types,
      where: 'Only records that meet the condition.',
    },
    filter: {
      steps_to_filter: stepsBefore,
      limit_to: 'Most items to keep; without it, all that match.',
    },
    transform: {
      steps_to_transform: stepsBefore,
      output_fields: { description: 'Names of the fields to write for each item.', default: ['result'] },
      limit: {
        description: `Most items to work on; above ${limits.transform_default_items} only with \`config.unlimited_transform\`. Credits are held for it and charged per item.`,
        default: limits.transform_default_items,
      },
    },
    analyze: {
      context_step_ids: allBefore,
      focus: 'What to look at above all.',
      max_tokens: { description: 'About how long the findings may be.', default: 2000 },
    },
    discover: {
      query: 'What the new records should be about; without it, the instructions of the step.',
      context_step_ids: allBefore,
      entity_types,
      limit: { description: 'Most records to find.', default: 25 },
      depth: { description: 'How many relationships away a record may be.', default: 1 },
    },
    reconstitute: {
      context_step_ids: allBefore,
      expected_artifacts: {
        description:
          'Each entry asks for one artifact: `table`, `text`, `entity_card`, or any other string as the title of a text. `NONE` asks for none. Case does not matter.',
        default: ['text'],
      },
      max_tokens: { description: 'About how long the answer may be.', default: 4000 },
    },
    inject_context: { text: 'Text given as it is.', entities: 'Records given by reference.' },
  };
}

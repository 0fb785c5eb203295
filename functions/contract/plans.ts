// Plans and the dossier preset, as a client sends them.
import * as z from 'zod';
import { EntityRef } from './entities.ts';
import { text } from './json.ts';
import { limits } from './limits.ts';
import { type StepKind, stepParams } from './steps.ts';

const instructions = {
  optional: text(0, limits.step_instructions_max_characters).optional(),
  required: text(1, limits.step_instructions_max_characters),
};

function step<K extends StepKind, I extends z.ZodType>(kind: K, id: string, instructionsOf: I) {
  return z
    .strictObject({
      index: z.number().int().nonnegative().optional(),
      kind: z.literal(kind),
      title: text(1, limits.plan_title_max_characters),
      description: text(0, limits.step_description_max_characters).optional(),
      instructions: instructionsOf,
      params: z.optional(stepParams[kind]),
    })
    .meta({ id });
}

/** One step of a plan; a `filter` cannot do without instructions (Spec: POST /runs, rule 5). */
export const PlanStep = z.discriminatedUnion('kind', [
  step('fetch', 'FetchStep', instructions.optional),
  step('vector_search', 'VectorSearchStep', instructions.optional),
  step('filter', 'FilterStep', instructions.required),
  step('transform', 'TransformStep', instructions.optional),
  step('analyze', 'AnalyzeStep', instructions.optional),
  step('discover', 'DiscoverStep', instructions.optional),
  step('reconstitute', 'ReconstituteStep', instructions.optional),
  step('inject_context', 'InjectContextStep', instructions.optional),
]);
export type PlanStep = z.infer<typeof PlanStep>;

export const Plan = z
  .strictObject({
    title: text(1, limits.plan_title_max_characters),
    steps: z.array(PlanStep).min(1).max(limits.plan_max_steps),
  })
  .meta({ id: 'Plan' });
export type Plan = z.infer<typeof Plan>;

export const DossierParams = z
  .strictObject({
    entity: EntityRef,
    sections: z.array(text(1, limits.section_max_characters)).min(1).max(limits.sections_max).optional(),
    max_tokens: z.number().int().min(256).max(16000).optional(),
  })
  .meta({ id: 'DossierParams' });
export type DossierParams = z.infer<typeof DossierParams>;

// A plan as a provider's model answers it: one flat form for all kinds of steps, turned into a draft that passes the plan checks.
import * as z from 'zod';
import type { JsonObject } from '#contract/json.ts';
import { Plan } from '#contract/plans.ts';
import type { OutputOf, PlanDraft } from './model.ts';

const texts = z.array(z.string()).nullable();

/** The kinds and params that a planner may use; null where a param is left to its default. */
export const PlanAnswer = z.object({
  title: z.string().min(1),
  steps: z
    .array(
      z.object({
        kind: z.enum([
          'fetch',
          'vector_search',
          'filter',
          'transform',
          'analyze',
          'discover',
          'reconstitute',
        ]),
        title: z.string().min(1),
        instructions: z.string().nullable(),
        source: z.string().nullable(),
        query: z.string().nullable(),
        entity_types: texts,
        limit: z.number().int().nullable(),
        limit_to: z.number().int().nullable(),
        output_fields: texts,
        focus: z.string().nullable(),
        expected_artifacts: texts,
      }),
    )
    .min(1),
});
type Answer = z.infer<typeof PlanAnswer>;
type Step = Answer['steps'][number];
type Param = Exclude<keyof Step, 'kind' | 'title' | 'instructions'>;

const PARAMS: Record<Step['kind'], Param[]> = {
  fetch: ['source', 'query', 'entity_types', 'limit'],
  vector_search: ['source', 'query', 'entity_types', 'limit'],
  filter: ['limit_to'],
  transform: ['output_fields', 'limit'],
  analyze: ['focus'],
  discover: ['query', 'entity_types', 'limit'],
  reconstitute: ['expected_artifacts'],
};

/** The draft, or what a plan check has against it. Params that a kind does not take are left out. */
export function planned(answer: Answer): OutputOf<'plan'> | string {
  const steps = answer.steps.map(draftOf);
  const draft: PlanDraft = { title: answer.title, steps };
  const checked = Plan.safeParse(draft);
  return checked.success ? draft : z.prettifyError(checked.error);
}

function draftOf(step: Step): PlanDraft['steps'][number] {
  const params: JsonObject = {};
  for (const name of PARAMS[step.kind]) {
    const value = step[name];
    if (value !== null) params[name] = value;
  }
  const { kind, title, instructions } = step;
  return instructions === null || instructions === ''
    ? { kind, title, params }
    : { kind, title, instructions, params };
}

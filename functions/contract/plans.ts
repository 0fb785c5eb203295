// Plans and the dossier preset, as a client sends them.
import * as z from 'zod';
import { componentName } from './component-name.ts';
import { EntityRef } from './entities.ts';
import { text } from './json.ts';
import { limits } from './limits.ts';
import { type StepKind, stepKinds, stepTable } from './steps.ts';

export const InputType = z.enum(['query', 'plan', 'preset']).meta({ id: 'InputType' });
export type InputType = z.infer<typeof InputType>;

function step<K extends StepKind, I extends z.ZodType, P extends z.ZodObject>(
  kind: K,
  { instructions, params }: { instructions: I; params: P },
) {
  return z
    .strictObject({
      index: z.number().int().nonnegative().optional(),
      kind: z.literal(kind),
      title: text(1, limits.plan_title_max_characters),
      description: text(0, limits.step_description_max_characters).optional(),
      instructions,
      params: params.meta({ id: componentName(kind, 'Params') }).optional(),
    })
    .meta({ id: componentName(kind, 'Step') });
}
type Row<K extends StepKind> = (typeof stepTable)[K];
type Step = {
  [K in StepKind]: ReturnType<typeof step<K, Extract<Row<K>['instructions'], z.ZodType>, Row<K>['params']>>;
}[StepKind];

/** One step of a plan, with the params of its kind; a `filter` needs instructions (rules.md: plan 2). */
export const PlanStep = z
  .discriminatedUnion(
    'kind',
    // The type of `map` loses which params belong to which kind.
    stepKinds.map((kind) => step<StepKind, z.ZodType, z.ZodObject>(kind, stepTable[kind])) as [
      Step,
      ...Step[],
    ],
  )
  .meta({ id: 'PlanStep' });
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

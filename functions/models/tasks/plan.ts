// The task `plan`: chooses the steps for a query.
import * as z from 'zod';
import type { JsonObject } from '#contract/json.ts';
import { Plan } from '#contract/plans.ts';
import { type StepKind, stepKinds, stepTable } from '#contract/steps.ts';
import { defineTask, type ModelItem, Text, type WorkspaceOutline } from './task.ts';

interface Input {
  query: string;
  interpretation: string;
  shape: WorkspaceOutline;
  candidates: ModelItem[];
}

/** A plan as a model drafts it, without triggers; checked like a client's plan before it is used. */
export interface PlanDraft {
  title: string;
  steps: { kind: StepKind; title: string; instructions?: string; params: JsonObject }[];
}

const plannedKinds = stepKinds.filter((kind) => stepTable[kind].planned_params !== null);

/** A param as a model answers it: its bare type, null where it is left to its default. */
function answered(param: z.ZodType) {
  const type = param instanceof z.ZodOptional ? param.unwrap() : param;
  if (type instanceof z.ZodArray) return z.array(z.string()).nullable();
  return type instanceof z.ZodNumber ? z.number().int().nullable() : z.string().nullable();
}

function plannedParams(kind: StepKind): [string, z.ZodType][] {
  const params: Record<string, z.ZodType> = stepTable[kind].params.shape;
  return (stepTable[kind].planned_params ?? []).flatMap((name) => {
    const param = params[name];
    return param ? [[name, answered(param)]] : [];
  });
}

/** One flat form for all kinds of steps. */
const Step = z.object({
  kind: z.enum(plannedKinds),
  title: Text,
  instructions: z.string().nullable(),
  ...Object.fromEntries(plannedKinds.flatMap(plannedParams)),
});
const Answer = z.object({ title: Text, steps: z.array(Step).min(1) });

export const plan = defineTask<Input, PlanDraft, typeof Answer>({
  prompt: [
    'Choose the steps that answer the query, as few as will do, ending with `reconstitute`. Kinds:',
    ...plannedKinds.map((kind) => `- ${kind}: ${stepTable[kind].summary}`),
    'Each step works on the output of the step before it. `instructions` are all that a step gets to read of the query: make them complete.',
    'A `filter` always has instructions; for a top-N give `limit_to` and fetch more than N. `fetch` without `query` takes all records of',
    '`entity_types`; `source` is `entities`, `notes`, `relationships` or `artifacts`. `expected_artifacts` may hold `table`, `text`,',
    '`entity_card` or titles of texts. Titles are short and for people. Params that a kind does not need are null.',
  ].join('\n'),
  request: ['query', 'interpretation'],
  answer: Answer,
  judge({ title, steps }) {
    const draft: PlanDraft = { title, steps: steps.map(draftOf) };
    const checked = Plan.safeParse(draft);
    return checked.success ? draft : z.prettifyError(checked.error);
  },
});

/** Params that a kind does not take, and those left to their default, are left out. */
function draftOf(step: z.infer<typeof Step>): PlanDraft['steps'][number] {
  const { kind, title, instructions } = step;
  const answers: JsonObject = step;
  const params: JsonObject = {};
  for (const name of stepTable[kind].planned_params ?? []) {
    const value = answers[name] ?? null;
    if (value !== null) params[name] = value;
  }
  return instructions === null || instructions === ''
    ? { kind, title, params }
    : { kind, title, instructions, params };
}

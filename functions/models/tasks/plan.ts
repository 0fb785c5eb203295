// The task `plan`: chooses the steps for a query.
import * as z from 'zod';
import type { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import { Plan } from '#contract/plans.ts';
import { checkRecordParams } from '#contract/record-params.ts';
import { type StepKind, stepKinds, stepTable } from '#contract/steps.ts';
import { complaintsAbout, contractParams, forms, unknownFields } from './plan-params.ts';
import { shapeOfSource, sourceNamed } from './source-shape.ts';
import { defineTask, type KnownWorkspace, Text } from './task.ts';

interface Input extends KnownWorkspace {
  query: string;
  interpretation: string;
  /** What the data of the answer must look like, if they are asked for. */
  output_schema?: OutputSchema;
}

/** A plan as drafted by a model, without triggers; checked like a client's plan before use. */
export interface PlanDraft {
  title: string;
  steps: { kind: StepKind; title: string; instructions?: string; params: JsonObject }[];
}

const plannedKinds = stepKinds.filter((kind) => stepTable[kind].planned_params !== null);

/** A param as a model answers it: its bare type, null for the default. */
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

/** One flat form for all step kinds. */
const Step = z.object({
  kind: z.enum(plannedKinds),
  title: Text,
  instructions: z.string().nullable(),
  ...Object.fromEntries(plannedKinds.flatMap(plannedParams)),
  ...forms,
});
const NamedFields = z.object({
  ...forms,
  source: z.unknown(),
  entity_types: z.array(z.string()).nullable(),
  group_by: z.array(z.string()).nullable(),
});
const Answer = z.object({ title: Text, steps: z.array(Step).min(1) });

export const plan = defineTask<Input, PlanDraft, typeof Answer>({
  prompt: [
    'Choose the steps that answer the query, as few as will do, ending with `reconstitute`. Kinds:',
    ...plannedKinds.map((kind) => `- ${kind}: ${stepTable[kind].summary}`),
    'Each step works on the output of the step before it. `instructions` are all that a step gets to read of the query: make them complete.',
    'Whatever the query says of fields belongs into the params of `fetch`, which are exact over all records, however many there are:',
    '- `where` keeps records: every entry must hold; an entry holds when one of its `any_of` does, or with `not` when none does. `field` is a',
    '  path of `shape`; `name`, `type`, `id`, `created_at` and `updated_at` (epoch ms) are of the record itself, and a field so called is',
    '  `fields.name`. A value has the kind of its field; texts compare exactly, so spell them as in `values` or in the samples. `in` takes a',
    '  list, `exists` true or false; `contains` and `starts_with` take a text and ignore case.',
    '- `sort` orders by one to three fields; a top-N is `sort` with `limit` N.',
    '- `group_by` and `measures` count and add up: "how many" is one `count` without `group_by`; "per" and "by" are `group_by`. The items are',
    '  then groups, and no `filter` may follow.',
    'Use only fields of `shape`: a word of the query that no field, value or type expresses is in no step, never replaced by something near to',
    'it. Times such as "last month" count from `today`.',
    'A `filter` reads the items one by one: only for what no field can say, after `where`. It always has instructions; the `fetch` before it',
    `takes a \`limit\` of up to ${limits.step_items_max}, enough for all that \`where\` leaves, and the filter the \`limit_to\` of a top-N. \`fetch\` without \`query\``,
    'takes all records of `entity_types`; `source` is `entities`, `notes`, `relationships` or `artifacts`, and only records have fields.',
    '`sources` of `shape` are other systems, read while the run goes on: where the query asks for what one of them has, the name of that one is',
    'the `source`. Its items have the fields that it names, and may have others; `entity_types` is null then.',
    'Where there is an `output_schema`, bring the records whose fields its data need.',
    '`expected_artifacts` may hold `table`, `text`, `entity_card` or titles of texts. Titles are short and for people. Params that a kind',
    'does not need are null.',
  ].join('\n'),
  request: ['query', 'interpretation', 'today', 'output_schema'],
  answer: Answer,
  judge({ title, steps }, { shape }) {
    const complaints = steps.flatMap((step, i) => {
      const named = NamedFields.parse(step);
      const live = sourceNamed(shape, named.source);
      const unknown = live ? [] : unknownFields(named, shape);
      return [
        ...complaintsAbout(step.where, `steps[${i}].where`, live ? shapeOfSource(live) : shape),
        ...unknown.map(
          (field) =>
            `steps[${i}]: no record of these types has the field "${field}"; use one of \`shape\` or leave it out`,
        ),
      ];
    });
    if (complaints.length > 0) return complaints.join('\n');
    const draft: PlanDraft = { title, steps: steps.map(draftOf) };
    const checked = Plan.safeParse(draft);
    if (!checked.success) return z.prettifyError(checked.error);
    const issues = checked.data.steps.flatMap((step, i) => checkRecordParams(step, ['steps', i]));
    return issues.length > 0
      ? issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n')
      : draft;
  },
});

/** Omits params that a kind does not take and those left at their default. */
function draftOf(step: z.infer<typeof Step>): PlanDraft['steps'][number] {
  const { kind, title, instructions } = step;
  const answers: JsonObject = { ...step, ...contractParams(step) };
  const params: JsonObject = {};
  for (const name of stepTable[kind].planned_params ?? []) {
    const answer = answers[name] ?? null;
    const saysNothing = answer === null || (Array.isArray(answer) && answer.length === 0);
    if (!saysNothing) params[name] = answer;
  }
  return instructions === null || instructions === ''
    ? { kind, title, params }
    : { kind, title, instructions, params };
}

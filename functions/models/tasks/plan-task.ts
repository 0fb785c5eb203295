// The task `plan`: chooses the steps for a query.
import * as z from 'zod';
import type { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import { Plan } from '#contract/plans.ts';
import { checkRecordParams } from '#contract/record-params.ts';
import { type StepKind, stepKinds, stepTable } from '#contract/steps.ts';
import { type AnswerSchema, formOf, listOf, oneOf, orNull, text, whole } from './answer-schema.ts';
import { listIn, memberIn, nameIn, numberIn, textIn, textsIn } from './as-meant.ts';
import { defineTask, type KnownWorkspace } from './model-task.ts';
import {
  complaintsAbout,
  fieldNames,
  formsOver,
  groupByIn,
  measuresIn,
  sortIn,
  unknownFields,
  whereIn,
  whereOf,
} from './plan-params.ts';
import { candidateIds, dayOf, halfTheWorkspace, shownWorkspace } from './shown-workspace.ts';
import { shapeOfSource, sourceNamed } from './source-outline.ts';

interface Input extends KnownWorkspace {
  query: string;
  interpretation: string;
  /** What the data of the answer must look like, if they are asked for. */
  output_schema?: OutputSchema;
  /** What of a plan makes no sense over this workspace; undefined if nothing does. Not shown to a model. */
  faultsIn?(draft: PlanDraft): string | undefined;
}

/** A plan as drafted by a model, without triggers; checked like a client's plan before use. */
export interface PlanDraft {
  title: string;
  steps: { kind: StepKind; title: string; instructions?: string; params: JsonObject }[];
}

const plannedKinds = stepKinds.filter((kind) => stepTable[kind].planned_params !== null);
const listedSources = ['entities', 'notes', 'relationships', 'artifacts'];

const prompt = [
  'Choose the steps that answer the query, as few as will do, ending with `reconstitute`. Kinds:',
  ...plannedKinds.map((kind) => `- ${kind}: ${stepTable[kind].summary}`),
  'Each step works on the output of the one before. Of the query it reads its `instructions` alone: make them complete. Params that a kind does',
  'not need are null or []. What the query says of fields belongs into the params of `fetch`, exact over all records:',
  '- `where` keeps records: every entry must hold; one holds when any of its `any_of` does, or with `not` when none does. `field` is one of',
  '  `shape`, or `name`, `type`, `id`, `created_at`, `updated_at` of the record itself (ISO dates; a field so called is `fields.name`). A value',
  '  has the kind of its field; texts compare exactly: spell them as in `values` or `shape`. `in` takes a list, `exists` true or false;',
  '  `contains` and `starts_with` ignore case.',
  '- `sort` orders by up to three fields; a top-N is `sort` with `limit` N.',
  '- `group_by` and `measures` count and add up: "how many" is one `count` without `group_by`; "per" and "by" are `group_by`. Then no `filter`.',
  '  `by` is null for each value, "day", "week", "month", "quarter" or "year" for periods of a date, a number for steps of that width.',
  'Use only fields of `shape`: a word that no field, value or type expresses is in no step, never replaced by something near to it. "Last month"',
  'counts from `today`. A `filter` reads items one by one: only for what no field can say, after `where`, and the `fetch` before it has a',
  `\`limit\` of up to ${limits.step_items_max}; a top-N is its \`limit_to\`. \`fetch\` without \`query\` takes all records of \`entity_types\`.`,
  '`shape` has the types with their fields (texts that a field holds stand between |), `candidates` the records that the query names. Its',
  '`sources` are other systems: where the query asks for what one has, its name is the `source`, and `entity_types` is [].',
  'With an `output_schema`, bring the records whose fields it needs. `expected_artifacts`: `table`, `text`, `entity_card` or titles of texts.',
  'For example (other params null or []), "companies in Berlin since May": {"title":"Companies in Berlin","steps":[{"kind":"fetch","title":"Find',
  'them","entity_types":["company"],"where":[{"not":false,"any_of":[{"field":"city","op":"=","value":"Berlin"}]},{"not":false,"any_of":[{"field":',
  '"created_at","op":">=","value":"2026-05-01"}]}]},{"kind":"reconstitute","title":"Answer","instructions":"List the companies in Berlin."}]};',
  '"orders per city" fetches with "group_by":[{"field":"city","by":null}],"measures":[{"as":"orders","op":"count","field":null}].',
].join('\n');

/** A param as a model answers it: null or [] for the default. */
function answered(param: z.ZodType): AnswerSchema {
  const type = param instanceof z.ZodOptional ? param.unwrap() : param;
  if (type instanceof z.ZodArray) return listOf(text);
  return orNull(type instanceof z.ZodNumber ? whole : text);
}

/** The sources besides live ones that the query may read. */
const readable = ({ other_sources }: Input): readonly string[] =>
  other_sources ? ['entities', ...other_sources] : listedSources;

/** One flat form for all step kinds. */
function stepFor(input: Input): AnswerSchema {
  const { shape } = input;
  const names = [...new Set(plannedKinds.flatMap((kind) => [...(stepTable[kind].planned_params ?? [])]))];
  const forms: Record<string, AnswerSchema> = {
    ...formsOver(fieldNames(shape)),
    source: orNull(oneOf([...readable(input), ...(shape.sources ?? []).map(({ name }) => name)])),
    entity_types: listOf(oneOf(shape.types.map(({ type }) => type))),
  };
  return formOf({
    kind: oneOf(plannedKinds),
    title: text,
    instructions: orNull(text),
    ...Object.fromEntries(
      names.map((name) => [name, forms[name] ?? answered(paramNamed(name) ?? z.string())]),
    ),
  });
}

function paramNamed(name: string, kinds: readonly StepKind[] = plannedKinds): z.ZodType | undefined {
  for (const kind of kinds) {
    const params: Record<string, z.ZodType> = stepTable[kind].params.shape;
    if (params[name]) return params[name];
  }
  return undefined;
}

export const plan = defineTask<Input, PlanDraft>({
  prompt,
  shown(input) {
    const { query, interpretation, today, output_schema } = input;
    const request = { query, interpretation, today: dayOf(today), ...(output_schema && { output_schema }) };
    return { data: shownWorkspace(input, prompt, request), request };
  },
  answerFor: (input) => formOf({ title: text, steps: listOf(stepFor(input)) }),
  judge(answer, input) {
    const steps = listIn(memberIn(answer, 'steps')).map((step) => stepIn(step, input));
    if (steps.length === 0) return 'A plan needs steps.';
    const complaints = steps.flatMap((step, i) => complaintsOf(step, i, input));
    if (complaints.length > 0) return complaints.join('\n');
    const title = textIn(memberIn(answer, 'title')) || input.interpretation || input.query;
    const draft: PlanDraft = { title, steps: steps.flatMap(draftOf) };
    const checked = Plan.safeParse({
      ...draft,
      title: title.slice(0, limits.plan_title_max_characters) || 'Plan',
    });
    if (!checked.success) return z.prettifyError(checked.error);
    const issues = checked.data.steps.flatMap((step, i) => checkRecordParams(step, ['steps', i]));
    if (issues.length > 0)
      return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
    return input.faultsIn?.(draft) ?? draft;
  },
  halved: halfTheWorkspace,
});

type Step = ReturnType<typeof stepIn>;

/** What a step means. */
function stepIn(given: unknown, { shape, candidates }: Input) {
  const said = textIn(memberIn(given, 'source'));
  const live = sourceNamed(shape, said);
  const names = fieldNames(shape);
  const types = shape.types.map(({ type }) => type);
  const { ids } = candidateIds(candidates);
  const kind = nameIn(memberIn(given, 'kind'), plannedKinds);
  return {
    given,
    kind: plannedKinds.find((known) => known === kind),
    title: textIn(memberIn(given, 'title')),
    instructions: textIn(memberIn(given, 'instructions')),
    source: said === '' ? null : (nameIn(said, listedSources) ?? said),
    live,
    entity_types: textsIn(memberIn(given, 'entity_types')).map((type) => nameIn(type, types) ?? type),
    where: whereIn(memberIn(given, 'where'), names, (id) => ids.real(id)),
    sort: sortIn(memberIn(given, 'sort'), names),
    group_by: groupByIn(memberIn(given, 'group_by'), names),
    measures: measuresIn(memberIn(given, 'measures'), names),
  };
}

function complaintsOf(step: Step, i: number, input: Input): string[] {
  if (!step.kind) return [`steps[${i}].kind must be one of: ${plannedKinds.join(', ')}.`];
  const { shape } = input;
  const unknown = step.live ? [] : unknownFields(step, shape);
  const { source } = step;
  const isClosed = source !== null && listedSources.includes(source) && !readable(input).includes(source);
  return [
    ...(isClosed ? [`steps[${i}]: the source ${source} cannot be read`] : []),
    ...complaintsAbout(step.where, `steps[${i}].where`, step.live ? shapeOfSource(step.live) : shape),
    ...unknown.map(
      (field) =>
        `steps[${i}]: no record of these types has the field "${field}"; use one of \`shape\` or leave it out`,
    ),
  ];
}

/** Omits params that a kind does not take and those left at their default. */
function draftOf({ kind, title, instructions, given, live: _, ...read }: Step): PlanDraft['steps'] {
  if (!kind) return [];
  const answers: JsonObject = { ...read, where: whereOf(read.where) };
  const params: JsonObject = {};
  for (const name of stepTable[kind].planned_params ?? []) {
    const answer = Object.hasOwn(answers, name)
      ? answers[name]
      : plainIn(memberIn(given, name), paramNamed(name, [kind]));
    const saysNothing =
      answer === null ||
      answer === undefined ||
      answer === '' ||
      (Array.isArray(answer) && answer.length === 0);
    if (!saysNothing) params[name] = answer;
  }
  return [
    { kind, title: title || stepTable[kind].summary, ...(instructions !== '' && { instructions }), params },
  ];
}

/**
 * A param that is a text, a whole number or a list of texts. A number below its range says nothing, one above means the
 * most.
 */
function plainIn(value: unknown, param: z.ZodType | undefined): string | number | string[] | null {
  const type = param instanceof z.ZodOptional ? param.unwrap() : param;
  if (type instanceof z.ZodArray) return textsIn(value);
  if (!(type instanceof z.ZodNumber)) return textIn(value);
  const number = numberIn(value);
  if (number === undefined || number < (type.minValue ?? number)) return null;
  return Math.min(Math.floor(number), type.maxValue ?? number);
}

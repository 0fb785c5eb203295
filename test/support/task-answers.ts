// Answers to model tasks as a provider's model gives them, generated from each task's schema.
import * as z from 'zod';
import type { AnswerSchema } from '#models/tasks/answer-schema.ts';
import { type InputOf, type TaskKind, tasks } from '#models/tasks/task-registry.ts';

/** The simplest value of a schema: null and empty where allowed. */
function plainest(form: AnswerSchema): unknown {
  const types = [form.type, ...(form.anyOf ?? []).map(({ type }) => type)].flat();
  if (types.includes('null')) return null;
  if (form.enum) return form.enum[0];
  if (types.includes('boolean')) return true;
  if (types.includes('string')) return 'Text.';
  if (types.includes('array')) return [];
  if (types.includes('object'))
    return Object.fromEntries(
      Object.entries(form.properties ?? {}).map(([name, property]) => [name, plainest(property)]),
    );
  return 1;
}

/** Tasks whose answer has a part for each part of the input. */
const partByPart: { [K in TaskKind]?: (input: InputOf<K>) => object } = {
  plan: (input) => ({
    title: 'Text.',
    steps: [plainest(tasks.plan.answerFor(input).properties?.steps?.items ?? {})],
  }),
  filter: ({ items }) => ({ verdicts: items.map((_, index) => ({ index, keep: true, score: 1 })) }),
  transform: ({ output_fields }) => ({ values: output_fields.map((field) => ({ field, value: 1 })) }),
  reconstitute: ({ text_titles }) => ({
    message: 'Done.',
    texts: text_titles.map(() => ({ content: 'Text.' })),
    table_title: '',
  }),
  reconstitute_data: ({ text_titles, output_schema, steps }) => ({
    message: 'Done.',
    texts: text_titles.map(() => ({ content: 'Text.' })),
    table_title: '',
    lists: [],
    columns: [],
    values: Object.keys(output_schema.properties ?? {}).map((name) => ({
      ...{ path: `/${name}`, from: 'count', item: null, field: null, text: null },
      step_index: steps.at(-1)?.step_index ?? null,
    })),
  }),
};

/** A usable answer to a task. */
export function answerTo<K extends TaskKind>(task: K, input: InputOf<K>): unknown {
  const answer: ((input: InputOf<K>) => object) | undefined = partByPart[task];
  return answer ? answer(input) : plainest(tasks[task].answerFor(input));
}

/** A planned step with all params at their defaults. */
export const emptyStep = z.object({ steps: z.array(z.record(z.string(), z.unknown())) }).parse(
  answerTo('plan', {
    query: '',
    interpretation: '',
    shape: { types: [] },
    values: [],
    candidates: [],
    today: '2026-11-20',
  }),
).steps[0];

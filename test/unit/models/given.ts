// What the tests of the models share: a small data set and a short way to call.

import type { FieldKind, MentionedValue, Outline, OutlineField } from '#contract/record-queries.ts';
import type { Attempt, CallContext, Model, TokenUsage } from '#models/model.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/task-registry.ts';
import { plain } from '#record-index/plain-names.ts';

export const firstCall: CallContext = { step_attempt: 1, calls_before: 0 };
export const noLimit = (): AbortSignal => new AbortController().signal;

/** The result of work with a model and the usages of its replies; an error has them as well. */
async function counted<T>(work: (attempt: Attempt) => Promise<T>, signal: AbortSignal) {
  const usages: (TokenUsage | null)[] = [];
  try {
    return { result: await work({ signal, onReply: (usage) => usages.push(usage) }), usages };
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new Error(String(error)), { usages });
  }
}

/** One call of a model: its output and the usages of its replies. */
export async function ask<K extends TaskKind>(
  model: Model,
  task: K,
  input: InputOf<K>,
  { context = firstCall, signal = noLimit() } = {},
): Promise<{ output: OutputOf<K>; usages: (TokenUsage | null)[] }> {
  const { result, usages } = await counted((attempt) => model.call(task, input, context, attempt), signal);
  return { output: result, usages };
}

/** The vectors of texts and the usages of the replies. */
export async function embed(model: Pick<Model, 'embed'>, texts: string[], signal = noLimit()) {
  const { result, usages } = await counted((attempt) => model.embed(texts, attempt), signal);
  return { vectors: result, usages };
}

export function item(name: string, fields: ModelItem['fields'], type = 'company'): ModelItem {
  return { id: `id-${name.toLowerCase().replace(/\W+/g, '-')}`, type, name, fields };
}

export const companies = [
  item('Acme', {
    city: 'Berlin',
    country: 'Germany',
    revenue: 12.5,
    industry: 'software',
    employees: 120,
    founded_year: 2012,
    active: true,
    website: 'https://www.acme.com',
  }),
  item('Bolt', {
    city: 'Munich',
    country: 'Germany',
    revenue: 5,
    industry: 'fintech',
    employees: 40,
    founded_year: 2019,
    active: false,
  }),
  item('Cargo', {
    city: 'Hamburg',
    country: 'Germany',
    revenue: 80,
    industry: 'logistics',
    employees: 900,
    founded_year: 1999,
    email: 'hi@cargo.de',
  }),
  item('Delta Soft', {
    city: 'Berlin',
    country: 'Germany',
    revenue: 3.2,
    industry: 'software',
    employees: 15,
    founded_year: 2021,
  }),
  item('Nova', {
    city: 'New York',
    country: 'USA',
    revenue: 10,
    industry: 'fintech',
    employees: 50,
    founded_year: 2015,
  }),
];

export const people = [
  item('Alex Kim', { company: 'Acme', title: 'Senior Engineer', start_date: '2021-03-01' }, 'person'),
  item('Bo Li', { company: 'Bolt', title: 'CEO', start_date: '2018-06-01', email: 'bo@bolt.io' }, 'person'),
  item('Cy Moe', { company: 'Acme', title: 'Designer' }, 'person'),
];

/** The outline of some records, as stored with them. */
export function outlineOf(items: ModelItem[]): Outline {
  return {
    types: [...Map.groupBy(items, ({ type }) => type)].map(([type, members]) => {
      const paths = [...new Set(members.flatMap(({ fields }) => Object.keys(fields)))];
      return { type, count: members.length, fields: paths.map((path) => fieldOf(path, members)) };
    }),
  };
}

function fieldOf(path: string, items: ModelItem[]): OutlineField {
  const values = items.flatMap(({ fields }) => fields[path] ?? []);
  const numbers = values.filter((value) => typeof value === 'number');
  const samples = [...new Set(values.filter((value) => typeof value === 'string'))];
  const kinds = values.map((value): FieldKind => {
    if (typeof value === 'string') return 'text';
    return typeof value === 'number' ? 'number' : 'boolean';
  });
  return {
    path,
    kinds: [...new Set(kinds)],
    ...(numbers.length > 0 && { low: Math.min(...numbers), high: Math.max(...numbers) }),
    samples,
    distinct_texts: samples.length,
  };
}

/** The values of fields that a query mentions whole. */
export function valuesIn(query: string, items: ModelItem[]): MentionedValue[] {
  const { types } = outlineOf(items);
  const said = ` ${plain(query)} `;
  const found = types.flatMap(({ type, fields }) =>
    fields.flatMap(({ path, samples }) => samples.map((value) => ({ path, value, type }))),
  );
  return found
    .filter(({ value }) => said.includes(` ${plain(value)} `))
    .map(({ path, value, type }) => ({ path, value, types: [type] }));
}

/** The outline of the companies and people. */
export const shape = outlineOf([...companies, ...people]);

export async function offline<K extends TaskKind>(
  task: K,
  input: InputOf<K>,
  context = firstCall,
): Promise<OutputOf<K>> {
  return (await ask(offlineModel(), task, input, { context })).output;
}

/** Names of the items that the offline filter keeps. */
export async function kept(instructions: string, items: ModelItem[] = companies): Promise<string> {
  const { verdicts } = await offline('filter', { instructions, items });
  return items
    .filter((_, i) => verdicts[i]?.keep)
    .map(({ name }) => name)
    .join(', ');
}

// The references of an answer by place, and what is wrong with them: a model may invent places, items and steps.
import { type OutputSchema, outputLimits, typeOf } from '#contract/output-schema.ts';
import type { References } from '#models/tasks/reconstitute-data-task.ts';
import { cut } from '#platform/cut.ts';
import { keysOf } from '#platform/json-pointer.ts';
import type { OutputIssue } from './conform.ts';
import { ANY, indexOf, schemaAt } from './pointers.ts';
import type { Context, ContextItem } from './read-field.ts';

export interface Reading {
  /** The items of lists, in order. */
  lists: Map<string, ContextItem[]>;
  /** The fields of columns. */
  columns: Map<string, string>;
  values: Map<string, References['values'][number]>;
  /** The number of elements that single values give a list. */
  lengths: Map<string, number>;
  issues: OutputIssue[];
}

const PATH_SHOWN_MAX = 200;

/** The references of an answer; those that hold for no place of the schema are issues. */
export function readReferences(
  schema: OutputSchema,
  { lists, columns, values }: References,
  { items, steps }: Pick<Context, 'items' | 'steps'>,
): Reading {
  const reading: Reading = {
    lists: new Map(),
    columns: new Map(),
    values: new Map(),
    lengths: new Map(),
    issues: [],
  };
  const issue = (path: string, message: string) =>
    reading.issues.push({ path: cut(path.startsWith('/') ? path : '', PATH_SHOWN_MAX), message });

  for (const { path, step_index, items: numbers } of lists) {
    if (typeOf(schemaOf(schema, path) ?? {}) !== 'array') issue(path, 'is no array of the schema');
    else if (numbers) {
      const named = numbers.map((number) => items[number]);
      const unknown = numbers.find((_, i) => named[i] === undefined);
      if (unknown !== undefined) issue(path, `names the item ${unknown}, which does not exist`);
      reading.lists.set(
        path,
        named.filter((item) => item !== undefined),
      );
    } else {
      const all = step_index === null ? undefined : steps.get(step_index);
      if (all) reading.lists.set(path, all);
      else issue(path, `names the step ${step_index}, which yields no items`);
    }
  }
  for (const { path, field } of columns) {
    const keys = keysOf(path);
    if (keys && schemaAt(schema, keys, true)) reading.columns.set(path, field);
    else issue(path, `is no place of the schema (${ANY} stands for an index)`);
  }
  for (const value of values) {
    if (schemaOf(schema, value.path)) reading.values.set(value.path, value);
    else issue(value.path, 'is no place of the schema');
  }
  measureLists(schema, reading);
  return reading;
}

function schemaOf(schema: OutputSchema, path: string): OutputSchema | undefined {
  const keys = keysOf(path);
  return keys && schemaAt(schema, keys, false);
}

/** Single values may stand in elements that no list has. */
function measureLists(schema: OutputSchema, { lists, values, lengths }: Reading): void {
  for (const path of [...lists.keys(), ...values.keys()]) {
    const keys = keysOf(path) ?? [];
    for (const [i, key] of keys.entries()) {
      const list = schemaAt(schema, keys.slice(0, i), false);
      const index = list && typeOf(list) === 'array' ? indexOf(key) : undefined;
      if (index === undefined) continue;
      const at = path
        .split('/')
        .slice(0, i + 1)
        .join('/');
      lengths.set(at, Math.min(outputLimits.elements_max, Math.max(lengths.get(at) ?? 0, index + 1)));
    }
  }
}

// Answers as data: the items of the last step that yields some make every array, and properties find their fields by
// name (rules.md: output 6).
import { type OutputSchema, typeOf } from '#contract/output-schema.ts';
import type { References, YieldingStep } from '#models/tasks/reconstitute-data-task.ts';
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { pointerTo } from '#platform/json-pointer.ts';
import { fieldsOf, plural } from './items.ts';
import { reconstitute } from './reconstitute.ts';

type Input = InputOf<'reconstitute_data'>;
type Value = References['values'][number];

const ATTRIBUTES = ['name', 'id', 'type', 'external_uri'];
const COUNTS = ['count', 'total'];
const MESSAGES = ['summary', 'message', 'answer'];

/** The message and texts of the answer, and the references of its data. */
export function reconstituteData(input: InputOf<'reconstitute_data'>): OutputOf<'reconstitute_data'> {
  const spots = spotsIn(input.output_schema, '');
  const last = input.steps.at(-1);
  const lists = last ? spots.filter((spot) => isList(spot, input)) : [];
  const step_index = last?.step_index ?? null;
  return {
    ...reconstitute(input),
    references: {
      lists: lists.map(({ path }) => ({ path, step_index, items: null })),
      columns: lists.flatMap((spot) => columnOf(spot, input)),
      values: spots.filter((spot) => !lists.includes(spot)).flatMap((spot) => valuesAt(spot, last)),
    },
  };
}

/** A spot of the data outside of every list. */
interface Spot {
  name: string;
  path: string;
  schema: OutputSchema;
}

/** Every property of the root, and of an object with a list in it the properties in its spot. */
function spotsIn({ properties = {} }: OutputSchema, at: string): Spot[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = pointerTo(at, name);
    return holdsList(schema) ? spotsIn(schema, path) : [{ name, path, schema }];
  });
}

function holdsList({ properties = {} }: OutputSchema): boolean {
  return Object.values(properties).some((inner) => typeOf(inner) === 'array' || holdsList(inner));
}

/** Whether the items make the list. The only item may have the list as a field. */
function isList({ name, schema }: Spot, { items, steps }: Input): boolean {
  if (typeOf(schema) !== 'array' || !schema.items) return false;
  if (typeOf(schema.items) === 'object') return true;
  const only = items[steps.at(-1)?.only_item ?? -1];
  return !only || !fieldsOf(only).some(({ key, value }) => Array.isArray(value) && isNamed(name, key));
}

/** The field of a list of scalars whose name is that of the list, or whose plural is. */
function columnOf({ name, path, schema }: Spot, { items }: Input): References['columns'] {
  if (!schema.items || typeOf(schema.items) === 'object') return [];
  const known = [...new Set(items.flatMap((item) => fieldsOf(item).map(({ key }) => key)))];
  const field = [...known, ...ATTRIBUTES].find((key) => isNamed(name, key) || isNamed(name, plural(key, 2)));
  return field === undefined ? [] : [{ path: pointerTo(path, '*'), field }];
}

const isNamed = (name: string, key: string) => folded(name) === folded(key);
const folded = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

function valuesAt({ name, path, schema }: Spot, last: YieldingStep | undefined): Value[] {
  const value = { path, item: null, field: null, step_index: null, text: null };
  const type = typeOf(schema);
  if (type === 'string' && MESSAGES.includes(name)) return [{ ...value, from: 'message' }];
  const only = last?.only_item;
  if ((type === 'integer' || type === 'number') && COUNTS.includes(name)) {
    const counted = last?.count_field;
    return only === undefined || counted === undefined
      ? [{ ...value, from: 'count', step_index: last?.step_index ?? null }]
      : [{ ...value, from: 'item', item: only, field: counted }];
  }
  return only === undefined ? [] : [{ ...value, from: 'item', item: only }];
}

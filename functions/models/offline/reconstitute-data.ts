// Answers as data: the items of the last step that yields some make every array, and properties find their fields by
// name (rules.md: output 6).
import { type OutputSchema, typeOf } from '#contract/output-schema.ts';
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import type { References, YieldingStep } from '#models/tasks/reconstitute-data.ts';
import { pointerTo } from '#platform/json-pointer.ts';
import { reconstitute } from './reconstitute.ts';

type Value = References['values'][number];

const COUNTS = ['count', 'total'];
const MESSAGES = ['summary', 'message', 'answer'];

/** The message and texts of the answer, and the references of its data. */
export function reconstituteData(input: InputOf<'reconstitute_data'>): OutputOf<'reconstitute_data'> {
  const last = input.steps.at(-1);
  const properties = Object.entries(input.output_schema.properties ?? {});
  const lists = last ? properties.filter(([, schema]) => isListOfObjects(schema)) : [];
  const step_index = last?.step_index ?? null;
  return {
    ...reconstitute(input),
    references: {
      lists: lists.map(([name]) => ({ path: pointerTo('', name), step_index, items: null })),
      columns: [],
      values: properties.flatMap(([name, schema]) => valuesAt(name, schema, last)),
    },
  };
}

function isListOfObjects(schema: OutputSchema): boolean {
  return typeOf(schema) === 'array' && schema.items !== undefined && typeOf(schema.items) === 'object';
}

function valuesAt(name: string, schema: OutputSchema, last: YieldingStep | undefined): Value[] {
  const value = { path: pointerTo('', name), item: null, field: null, step_index: null, text: null };
  const type = typeOf(schema);
  if (type === 'string' && MESSAGES.includes(name)) return [{ ...value, from: 'message' }];
  const only = last?.only_item;
  if ((type === 'integer' || type === 'number') && COUNTS.includes(name)) {
    const counted = last?.count_field;
    return only === undefined || counted === undefined
      ? [{ ...value, from: 'count', step_index: last?.step_index ?? null }]
      : [{ ...value, from: 'item', item: only, field: counted }];
  }
  return only === undefined || isListOfObjects(schema) ? [] : [{ ...value, from: 'item', item: only }];
}

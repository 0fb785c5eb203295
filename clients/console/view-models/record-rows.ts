// The rows of a table of records.
import type { Row, StepItem } from '../../sdk/index.ts';

/** Times of the record itself, which are numbers, as dates. */
const TIMES: ReadonlySet<string> = new Set(['created_at', 'updated_at']);

/** The columns of an item. */
export const rowOf = ({ fields }: StepItem, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((name) => [name, cellValue(name, fields[name])]));

const cellValue = (name: string, value: Row[string] | undefined): Row[string] => {
  if (TIMES.has(name) && typeof value === 'number') return new Date(value).toISOString();
  return value ?? null;
};

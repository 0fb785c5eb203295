// Which fields of an item a model wrote. Only runs that answer as data keep that with their items (rules.md: output 3).
import type { Item, StepContext } from './step.ts';

/** The item with the mark that the step at `index` wrote these fields, in the run of an `output_schema`. */
export function writtenBy(
  item: Item,
  fields: string[],
  { run, index }: Pick<StepContext, 'run' | 'index'>,
): Item {
  if (!run.output_schema || fields.length === 0) return item;
  const before = item.written?.filter(({ field }) => !fields.includes(field)) ?? [];
  return { ...item, written: [...before, ...fields.map((field) => ({ field, step_index: index }))] };
}

// The paths by which an answer as data may name values, so that each item is walked over once for all of them.
import { readField } from '#contract/conditions.ts';
import { prefixesOf } from '#contract/field-paths.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import type { References } from '#models/tasks/reconstitute-data-task.ts';

/** The prefixes of the names with dots; names without are keys. */
export function namedPaths(schema: OutputSchema, { columns, values }: References): ReadonlySet<string> {
  const fields = [...columns, ...values].map(({ field }) => field ?? '');
  const dotted = [...namesIn(schema), ...fields].filter((name) => name.includes('.'));
  return prefixesOf(dotted.flatMap((name) => [name, withoutPrefix(name)]));
}

/** The path into the fields that a name of conditions refers to. */
export function withoutPrefix(field: string): string {
  const named = readField(field);
  return 'path' in named ? named.path : field;
}

function namesIn({ properties = {}, items }: OutputSchema): string[] {
  const inner = Object.values(properties).flatMap(namesIn);
  return [...Object.keys(properties), ...inner, ...(items ? namesIn(items) : [])];
}

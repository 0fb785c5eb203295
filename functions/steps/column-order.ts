// The columns of a table of items: the one place that knows their order (rules.md: artifacts 7).
import { fieldOfGroup, readField } from '#contract/conditions.ts';
import type { JsonObject } from '#contract/json.ts';
import { compareText } from '#contract/record-queries.ts';
import { type StepKind, stepTable } from '#contract/steps.ts';

/**
 * The fields that a plan names, in the order in which a reader wants them: grouped, measured, made, asked for, sorted.
 */
export function fieldsNamedBy(steps: readonly { kind: StepKind; params: JsonObject }[]): string[] {
  const named = steps.map(({ kind, params }) => {
    if (kind === 'transform') return { made: stepTable.transform.params.parse(params).output_fields };
    if (kind !== 'fetch') return {};
    const { group_by, measures, fields, sort } = stepTable.fetch.params.parse(params);
    return {
      grouped: group_by?.map(fieldOfGroup),
      measured: measures?.map(({ as }) => as),
      fields,
      sorted: typeof sort === 'object' ? sort.map(({ field }) => field) : [],
    };
  });
  return (['grouped', 'measured', 'made', 'fields', 'sorted'] as const).flatMap((role) =>
    named.flatMap((names: { [R in typeof role]?: string[] | undefined }) => names[role] ?? []),
  );
}

/** `name`, then the columns of the named fields, then the others by name. */
export function orderedColumns(columns: Iterable<string>, named: readonly string[]): string[] {
  const others = new Set(columns);
  others.delete('name');
  const first = new Set(named.flatMap((field) => columnOf(field, others) ?? []));
  const rest = [...others].filter((column) => !first.has(column));
  return ['name', ...first, ...rest.toSorted(compareText)];
}

/** The column that has a field: of its name, or of the object that it is in. */
function columnOf(field: string, columns: ReadonlySet<string>): string | undefined {
  if (columns.has(field)) return field;
  const read = readField(field);
  if (!('path' in read)) return undefined;
  const { path } = read;
  return [...columns].find((column) => path === column || path.startsWith(`${column}.`));
}

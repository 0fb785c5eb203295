// Conditions, sorts and measures in the flat form of strict structured output, and their conversion to params.
import * as z from 'zod';
import { measureOps, operators, readField, type Scalar, Where } from '#contract/conditions.ts';
import type { JsonObject } from '#contract/json.ts';
import { type FieldKind, OUTLINE_FIELDS_MAX, type Outline } from '#contract/record-queries.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const ConditionForm = z.object({
  field: z.string(),
  op: z.enum(operators),
  value: z.union([z.string(), z.number(), z.boolean(), z.array(scalar)]),
});
/** All groups must be true; a group is true when one of its conditions is, or with `not` when none is. */
const WhereForm = z.array(z.object({ not: z.boolean(), any_of: z.array(ConditionForm).min(1) }));
const SortForm = z.array(z.object({ field: z.string(), direction: z.enum(['asc', 'desc']) }));
const MeasureForm = z.array(
  z.object({ as: z.string(), op: z.enum(measureOps), field: z.string().nullable() }),
);

/** Params that are not flat in the contract. */
export const forms = {
  where: WhereForm.nullable(),
  sort: SortForm.nullable(),
  measures: MeasureForm.nullable(),
};
const Forms = z.object(forms);
type Answered = z.infer<typeof Forms>;

/** What is wrong with an answered `where`, in the terms of its form; [] when nothing is. */
export function complaintsAbout(where: Answered['where'], path: string, shape: Outline): string[] {
  return (where ?? []).flatMap(({ any_of }, i) =>
    any_of.flatMap((condition, k) =>
      problemsOf(condition, shape).map((problem) => `${path}[${i}].any_of[${k}].${problem}`),
    ),
  );
}

/** The params of a fetch that name fields. */
interface NamingFields extends Answered {
  source: unknown;
  entity_types: string[] | null;
  group_by: string[] | null;
}

/** Fields of an answered step that no record of its types has: they would find nothing, or the wrong thing. */
export function unknownFields(
  { source, entity_types, where, sort, group_by, measures }: NamingFields,
  shape: Outline,
): string[] {
  const names =
    source === null || source === 'entities'
      ? (entity_types ?? [])
      : [String(source), ...(entity_types ?? [])];
  const types = shape.types.filter(({ type }) => names.length === 0 || names.includes(type));
  // Other sources have fields of their own, and of a type with many fields only some are shown.
  const isWhole = types.length > 0 && types.every(({ fields }) => fields.length < OUTLINE_FIELDS_MAX);
  if (!isWhole || (names.length > 0 && types.length < names.length)) return [];
  const known = new Set(types.flatMap(({ fields }) => fields.map(({ path }) => path)));
  const given = [
    ...(where ?? []).flatMap(({ any_of }) => any_of.map(({ field }) => field)),
    ...(sort ?? []).map(({ field }) => field).filter((field) => !measures?.some(({ as }) => as === field)),
    ...(group_by ?? []),
    ...(measures ?? []).flatMap(({ field }) => field ?? []),
  ];
  return [...new Set(given)].filter((field) => {
    const named = readField(field);
    return 'path' in named && !known.has(named.path);
  });
}

function problemsOf(condition: z.infer<typeof ConditionForm>, shape: Outline): string[] {
  const checked = Where.safeParse(condition);
  if (!checked.success)
    return checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const mismatch = mismatchOf(condition, shape);
  return mismatch ? [`value: ${mismatch}`] : [];
}

/** Values match only their own kind: text against a numeric field would silently find nothing. */
function mismatchOf({ field, op, value }: z.infer<typeof ConditionForm>, shape: Outline): string {
  if (op === 'exists') return '';
  const kinds = new Set(
    shape.types.flatMap(({ fields }) =>
      fields.filter(({ path }) => path === field).flatMap((known) => known.kinds),
    ),
  );
  if (kinds.size === 0 || kinds.has('list')) return '';
  const given = [value].flat().map(kindOf);
  return given.every((kind) => kinds.has(kind))
    ? ''
    : `"${field}" holds ${[...kinds].join(' or ')} only; give the value as such, or ask of another field`;
}

function kindOf(value: Scalar): FieldKind {
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean';
}

/** The answers in the contract's form; null where nothing is asked. */
export function contractParams({ where, sort, measures }: Answered): JsonObject {
  return { where: where && whereOf(where), sort, measures: measures ? measures.map(measureOf) : null };
}

function measureOf({ field, ...measure }: z.infer<typeof MeasureForm>[number]): JsonObject {
  return field === null ? measure : { ...measure, field };
}

function whereOf(groups: z.infer<typeof WhereForm>): JsonObject | null {
  const members = groups.map(({ not, any_of }): JsonObject => {
    const [only, ...others] = any_of;
    const any: JsonObject = only && others.length === 0 ? only : { or: any_of };
    return not ? { not: any } : any;
  });
  const [only, ...others] = members;
  if (!only) return null;
  return others.length === 0 ? only : { and: members };
}

// Conditions, sorts and measures in the flat form of strict structured output, and their conversion to params.
import {
  type Condition,
  fieldOfGroup,
  type GroupField,
  measureOps,
  nameOfPath,
  operators,
  periods,
  readField,
  recordAttributes,
  type Scalar,
  Where,
} from '#contract/conditions.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { type FieldKind, OUTLINE_FIELDS_MAX, type Outline } from '#contract/record-queries.ts';
import { type AnswerSchema, flag, formOf, listOf, oneOf, orNull, text } from './answer-schema.ts';
import { flagIn, listIn, memberIn, nameIn, numberIn, textIn } from './as-meant.ts';
import { isTime, withTimes } from './plan-dates.ts';

const scalar: AnswerSchema[] = [text, { type: 'number' }, { type: 'boolean' }];

/** The forms of params that are not flat in the contract, over these fields. */
export function formsOver(fields: readonly string[]) {
  const field = oneOf(fields);
  const condition = formOf({
    field,
    op: oneOf(operators),
    value: { anyOf: [...scalar, listOf({ anyOf: scalar })] },
  });
  return {
    /** All groups must be true; a group is true when one of its conditions is, or with `not` when none is. */
    where: listOf(formOf({ not: flag, any_of: listOf(condition) })),
    // Groups are sorted by measures too, whose names are free.
    sort: listOf(formOf({ field: text, direction: oneOf(['asc', 'desc']) })),
    /** Grouped by each value, by the periods of dates, or in steps of numbers. */
    group_by: listOf(
      formOf({ field, by: { anyOf: [oneOf(periods), { type: 'number' }, { type: 'null' }] } }),
    ),
    measures: listOf(formOf({ as: text, op: oneOf(measureOps), field: orNull(field) })),
  };
}

/** The names of all fields that a planned param may have. */
export function fieldNames({ types, sources = [] }: Outline): string[] {
  const paths = types.flatMap(({ fields }) => fields.map(({ path }) => nameOfPath(path)));
  const described = sources.flatMap(({ fields }) => fields.map(({ name }) => name));
  return [...new Set(['name', 'type', 'id', 'created_at', 'updated_at', ...paths, ...described])];
}

/** A condition as answered: of any form until it is checked. */
interface Answered {
  field: string;
  op: string;
  value: Json;
}

interface Group {
  not: boolean;
  any_of: Answered[];
}

/** A field by its name in the records, in whatever spelling. */
function fieldMeant(said: string, names: readonly string[]): string {
  if (recordAttributes.has(said)) return said;
  return nameIn(said, names) ?? said;
}

/** The answered `where`; a bare condition is a group. `idMeant`: the id behind a short one. */
export function whereIn(
  given: unknown,
  names: readonly string[],
  idMeant: (id: string) => string | undefined,
): Group[] {
  const conditionIn = (one: unknown): Answered => {
    const field = fieldMeant(textIn(memberIn(one, 'field')), names);
    const value = (memberIn(one, 'value') ?? null) as Json;
    const meant = field === 'id' ? ([value].flat().map((id) => idMeant(textIn(id)) ?? id) as Json[]) : [];
    const [only] = meant;
    return {
      field,
      op: textIn(memberIn(one, 'op')),
      value: only === undefined ? value : Array.isArray(value) ? meant : only,
    };
  };
  return listIn(given)
    .map((group) => {
      const inner = memberIn(group, 'any_of') ?? (memberIn(group, 'field') === undefined ? [] : group);
      return { not: flagIn(memberIn(group, 'not')) ?? false, any_of: listIn(inner).map(conditionIn) };
    })
    .filter(({ any_of }) => any_of.length > 0);
}

export function sortIn(given: unknown, names: readonly string[]): { field: string; direction: string }[] {
  return listIn(given).map((one) => ({
    field: fieldMeant(textIn(memberIn(one, 'field') ?? one), names),
    direction: textIn(memberIn(one, 'direction')).toLowerCase() || 'asc',
  }));
}

export function measuresIn(
  given: unknown,
  names: readonly string[],
): { as: string; op: string; field?: string }[] {
  return listIn(given).map((one) => {
    const op = textIn(memberIn(one, 'op')).toLowerCase();
    const field = textIn(memberIn(one, 'field'));
    return {
      as: textIn(memberIn(one, 'as')) || op,
      op,
      ...(field !== '' && { field: fieldMeant(field, names) }),
    };
  });
}

export const groupByIn = (given: unknown, names: readonly string[]): GroupField[] =>
  listIn(given).flatMap((one): GroupField[] => {
    const said = textIn(memberIn(one, 'field') ?? one);
    if (said === '') return [];
    const field = fieldMeant(said, names);
    const by = memberIn(one, 'by');
    const named = nameIn(by, periods);
    const period = periods.find((known) => known === named);
    const width = numberIn(memberIn(by, 'width') ?? by);
    if (period !== undefined) return [{ field, by: period }];
    return [width !== undefined && width > 0 ? { field, by: { width } } : field];
  });

/** What is wrong with an answered `where`, in the terms of its form; [] when nothing is. */
export function complaintsAbout(where: Group[], path: string, shape: Outline): string[] {
  return where.flatMap(({ any_of }, i) =>
    any_of.flatMap((condition, k) =>
      problemsOf(condition, shape).map((problem) => `${path}[${i}].any_of[${k}].${problem}`),
    ),
  );
}

/** The params of a fetch that name fields. */
interface NamingFields {
  source: string | null;
  entity_types: string[];
  where: Group[];
  sort: { field: string }[];
  group_by: GroupField[];
  measures: { as: string; field?: string }[];
}

/** Fields of an answered step that no record of its types has: they would find nothing, or the wrong thing. */
export function unknownFields(
  { source, entity_types, where, sort, group_by, measures }: NamingFields,
  shape: Outline,
): string[] {
  const names = source === null || source === 'entities' ? entity_types : [source, ...entity_types];
  const types = shape.types.filter(({ type }) => names.length === 0 || names.includes(type));
  // Other sources have fields of their own, and of a type with many fields only some are shown.
  const isWhole = types.length > 0 && types.every(({ fields }) => fields.length < OUTLINE_FIELDS_MAX);
  if (!isWhole || (names.length > 0 && types.length < names.length)) return [];
  const known = new Set(types.flatMap(({ fields }) => fields.map(({ path }) => path)));
  const given = [
    ...where.flatMap(({ any_of }) => any_of.map(({ field }) => field)),
    ...sort.map(({ field }) => field).filter((field) => !measures.some(({ as }) => as === field)),
    ...group_by.map(fieldOfGroup),
    ...measures.flatMap(({ field }) => field ?? []),
  ];
  return [...new Set(given)].filter((field) => {
    const named = readField(field);
    return 'path' in named && !known.has(named.path);
  });
}

function problemsOf(condition: Answered, shape: Outline): string[] {
  const checked = Where.safeParse(condition);
  if (!checked.success)
    return checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const mismatch = mismatchOf(condition, shape);
  return mismatch ? [`value: ${mismatch}`] : [];
}

/** Values match only their own kind: text against a numeric field would silently find nothing. */
function mismatchOf({ field, op, value }: Answered, shape: Outline): string {
  if (op === 'exists') return '';
  const known = leafIn({ field, op, value });
  if (isTime(field) && known && !withTimes(known))
    return `"${field}" is compared with a date such as "2026-11-20"`;
  const kinds = new Set(
    shape.types.flatMap(({ fields }) =>
      fields.filter(({ path }) => path === field).flatMap((same) => same.kinds),
    ),
  );
  if (kinds.size === 0 || kinds.has('list')) return '';
  const given = [value].flat().map((one) => kindOf(one as Scalar));
  return given.every((kind) => kinds.has(kind))
    ? ''
    : `"${field}" holds ${[...kinds].join(' or ')} only; give the value as such, or ask of another field`;
}

function kindOf(value: Scalar): FieldKind {
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean';
}

/** Answered groups as a condition of the contract; null where nothing is asked. They must be without complaints. */
export function whereOf(groups: Group[]): JsonObject | null {
  const members = groups.map(({ not, any_of }): Where => {
    const [only, ...others] = any_of.map(conditionOf);
    const any: Where = only && others.length === 0 ? only : { or: any_of.map(conditionOf) };
    return not ? { not: any } : any;
  });
  const [only, ...others] = members;
  if (!only) return null;
  return (others.length === 0 ? only : { and: members }) as JsonObject;
}

function conditionOf(answered: Answered): Where {
  const condition = leafIn(answered);
  return (condition && isTime(condition.field) ? withTimes(condition) : undefined) ?? Where.parse(answered);
}

/** A condition that holds to the contract. */
function leafIn(answered: Answered): Condition | undefined {
  const { data } = Where.safeParse(answered);
  return data && 'op' in data ? data : undefined;
}

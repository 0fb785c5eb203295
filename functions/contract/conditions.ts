// Conditions, sorts and groups over records (rules.md: records).
import * as z from 'zod';
import { memberOf, text } from './json.ts';

/** A value that conditions compare. */
export type Scalar = string | number | boolean;

export type Condition =
  | { field: string; op: '=' | '!='; value: Scalar }
  | { field: string; op: '<' | '<=' | '>' | '>='; value: string | number }
  | { field: string; op: 'in'; value: Scalar[] }
  | { field: string; op: 'contains' | 'starts_with'; value: string }
  | { field: string; op: 'exists'; value: boolean };

export type Where = Condition | { and: Where[] } | { or: Where[] } | { not: Where };

export const conditionLimits = { conditions_max: 50, nesting_max: 5, members_max: 20 } as const;

/** A path into the fields of a record, or one of its attributes. */
const FieldPath = text(1, 200);

/** Attributes of the record itself; `fields.<name>` reaches a field of the same name. */
export const recordAttributes: ReadonlySet<string> = new Set([
  'id',
  'name',
  'type',
  'external_uri',
  'external_id',
  'source',
  'created_at',
  'updated_at',
]);
const FIELDS_PREFIX = 'fields.';

/** What a field name refers to: an attribute of the record, or a path into its fields. */
export function readField(name: string): { attribute: string } | { path: string } {
  if (recordAttributes.has(name)) return { attribute: name };
  return { path: name.startsWith(FIELDS_PREFIX) ? name.slice(FIELDS_PREFIX.length) : name };
}

/** The name of a path into the fields; one that would be read as something else gets a prefix. */
export function nameOfPath(path: string): string {
  const named = readField(path);
  return 'path' in named && named.path === path ? path : FIELDS_PREFIX + path;
}

/** Whether two names refer to one field, as `fields.city` and `city` do. */
export function sameField(left: string, right: string): boolean {
  const [a, b] = [readField(left), readField(right)];
  return 'path' in a ? 'path' in b && a.path === b.path : 'attribute' in b && a.attribute === b.attribute;
}

/** The names of the fields in a condition. */
export function fieldsOfWhere(where: Where): string[] {
  if ('and' in where) return where.and.flatMap(fieldsOfWhere);
  if ('or' in where) return where.or.flatMap(fieldsOfWhere);
  return 'not' in where ? fieldsOfWhere(where.not) : [where.field];
}

/** The conditions that must all hold. */
export function membersOf(where: Where): Where[] {
  return 'and' in where ? where.and.flatMap(membersOf) : [where];
}

/** The field of a condition that every number meets, and nothing else; undefined for any other condition. */
export function numberField(where: Where): string | undefined {
  if (!('op' in where)) return undefined;
  const { field, op, value } = where;
  const isLowest = op === '>=' && value === -Number.MAX_VALUE;
  return isLowest || (op === '<=' && value === Number.MAX_VALUE) ? field : undefined;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const ordered = z.union([z.string(), z.number()]);
const operands = {
  '=': scalar,
  '!=': scalar,
  '<': ordered,
  '<=': ordered,
  '>': ordered,
  '>=': ordered,
  in: z.array(scalar).min(1).max(100),
  contains: text(1, 200),
  starts_with: text(1, 200),
  exists: z.boolean(),
} as const;
/** The operators of conditions. */
export const operators = Object.keys(operands) as [keyof typeof operands, ...(keyof typeof operands)[]];

/**
 * A schema that selects its variant by the value, so that an issue names the exact invalid member. A missing member of
 * a variant is an invalid value of the whole, not a missing field of the request.
 */
function variant<T>(pick: (value: unknown) => z.ZodType): z.ZodType<T> {
  const schema = z.unknown().check(({ value, issues }) => {
    const result = pick(value).safeParse(value);
    for (const issue of result.error?.issues ?? [])
      issues.push(
        isAbsent(value, issue.path)
          ? { code: 'custom', path: issue.path, message: 'This member is required', input: value }
          : ({ ...issue, input: value } as z.core.$ZodRawIssue),
      );
  });
  // The selected variant has checked the shape.
  return schema as z.ZodType<T>;
}

function isAbsent(value: unknown, path: PropertyKey[]): boolean {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return false;
    if (!Object.hasOwn(here, key)) return true;
    here = Reflect.get(here, key);
  }
  return false;
}

const connectives = ['and', 'or', 'not'] as const;

const members = z
  .array(z.lazy(() => AnyWhere))
  .min(1)
  .max(conditionLimits.members_max);

/** Made once: a plan may have thousands of conditions, and a schema takes longer to make than to use. */
const shapes = {
  and: z.strictObject({ and: members }),
  or: z.strictObject({ or: members }),
  not: z.strictObject({ not: z.lazy(() => AnyWhere) }),
};
const conditionOf = (value: z.ZodType) => z.strictObject({ field: FieldPath, op: z.enum(operators), value });
const conditionShapes = new Map(operators.map((op) => [op, conditionOf(operands[op])]));
const unknownCondition = conditionOf(z.unknown());

function shapeOf(value: unknown): z.ZodType {
  const connective = connectives.find((name) => memberOf(value, name) !== undefined);
  if (connective) return shapes[connective];
  const op = operators.find((name) => name === memberOf(value, 'op'));
  return (op && conditionShapes.get(op)) ?? unknownCondition;
}

const AnyWhere = variant<Where>(shapeOf);

/** The path of a group that nests too deep, if any, and the number of conditions. Iterative: the value is unchecked. */
function measure(where: unknown): { tooDeep: PropertyKey[] | undefined; conditions: number } {
  const open: { value: unknown; path: PropertyKey[]; depth: number }[] = [
    { value: where, path: [], depth: 0 },
  ];
  let conditions = 0;
  let tooDeep: PropertyKey[] | undefined;
  for (let next = open.pop(); next && !tooDeep; next = open.pop()) {
    const { value, path, depth } = next;
    const connective = connectives.find((name) => memberOf(value, name) !== undefined);
    if (!connective) conditions += 1;
    else if (depth === conditionLimits.nesting_max) tooDeep = path;
    else {
      const inner = memberOf(value, connective);
      if (Array.isArray(inner))
        for (const [i, one] of inner.entries())
          open.push({ value: one, path: [...path, connective, i], depth: depth + 1 });
      else open.push({ value: inner, path: [...path, connective], depth: depth + 1 });
    }
  }
  return { tooDeep, conditions };
}

/** A condition over the fields of records; at most 50 conditions, nested at most 5 deep. */
export const Where = variant<Where>(shapeOf)
  .check((context) => {
    const { tooDeep, conditions } = measure(context.value);
    const add = (path: PropertyKey[], message: string) =>
      context.issues.push({ code: 'custom', path, message, input: context.value });
    if (tooDeep) add(tooDeep, `and, or and not nest at most ${conditionLimits.nesting_max} deep`);
    else if (conditions > conditionLimits.conditions_max)
      add([], `At most ${conditionLimits.conditions_max} conditions`);
  })
  .meta({ id: 'Where' });

export const sortWords = ['relevance', 'updated_desc', 'created_desc', 'name_asc'] as const;
export type SortWord = (typeof sortWords)[number];

export const FieldSort = z.strictObject({ field: FieldPath, direction: z.enum(['asc', 'desc']).optional() });
export type FieldSort = z.infer<typeof FieldSort>;

const SortWordSchema = z.enum(sortWords);
const FieldSorts = z.array(FieldSort).min(1).max(3);

/** A keyword, or one to three fields; ties are broken by id. */
export const Sort = variant<SortWord | FieldSort[]>((value) =>
  Array.isArray(value) ? FieldSorts : SortWordSchema,
).meta({ id: 'Sort' });
export type Sort = SortWord | FieldSort[];

export const periods = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Period = (typeof periods)[number];

/** What makes one group of several values: a period of dates, or a step of numbers. */
export type GroupedBy = Period | { width: number };

/** A field to group by: each of its values, or the periods or steps into which they fall. */
export type GroupField = string | { field: string; by: GroupedBy };

/** The field's name. */
export const fieldOfGroup = (grouped: GroupField): string =>
  typeof grouped === 'string' ? grouped : grouped.field;

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const width = z.strictObject({ width: z.number().positive() });
const period = z.enum(periods);
const groupedField = z.strictObject({
  field: FieldPath,
  by: variant<GroupedBy>((value) => (isObject(value) ? width : period)),
});

export const GroupField = variant<GroupField>((value) => (isObject(value) ? groupedField : FieldPath)).meta({
  id: 'GroupField',
});
export const GroupBy = z.array(GroupField).min(1).max(3);

export const measureOps = ['count', 'sum', 'avg', 'min', 'max'] as const;

/** A number per group; only `count` may omit the field. */
export const Measure = z
  .strictObject({
    as: text(1, 200),
    op: z.enum(measureOps).meta({ id: 'MeasureOp' }),
    field: FieldPath.optional(),
  })
  .check((context) => {
    if (context.value.op !== 'count' && context.value.field === undefined)
      context.issues.push({
        code: 'custom',
        path: ['field'],
        message: `The measure ${context.value.op} needs a field`,
        input: context.value,
      });
  })
  .meta({ id: 'Measure' });
export type Measure = z.infer<typeof Measure>;
export const Measures = z.array(Measure).max(10);

/** The default measure of groups. */
export const DEFAULT_MEASURE: Measure = { as: 'count', op: 'count' };

// Conditions, sorts and grouped fields as JSON Schema, by hand: code selects their variants, which no generator can
// read.
import type { oas31 } from 'zod-openapi';
import { conditionLimits, periods, sortWords } from '../conditions.ts';

type JsonSchema = oas31.SchemaObject;
type Referable = JsonSchema | oas31.ReferenceObject;

const refTo = (name: string): oas31.ReferenceObject => ({ $ref: `#/components/schemas/${name}` });
const words = (...all: string[]): JsonSchema => ({ type: 'string', enum: all });
const some = (items: Referable, maxItems: number): JsonSchema => ({
  type: 'array',
  items,
  minItems: 1,
  maxItems,
});
const field: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 };
const scalar: JsonSchema = { type: ['string', 'number', 'boolean'] };
const ordered: JsonSchema = { type: ['string', 'number'] };

/** Names for values that are not words, for code generators. */
const symbols = (named: Record<string, string>): JsonSchema => ({
  ...words(...Object.keys(named)),
  'x-enum-varnames': Object.values(named),
});

const enums: Record<string, JsonSchema> = {
  EqualOp: symbols({ '=': 'equal', '!=': 'not_equal' }),
  OrderOp: symbols({ '<': 'less', '<=': 'at_most', '>': 'greater', '>=': 'at_least' }),
  TextOp: words('contains', 'starts_with'),
  SortWord: words(...sortWords),
  SortDirection: words('asc', 'desc'),
  GroupPeriod: words(...periods),
};

const description =
  'A condition over fields, or `and`, `or`, `not` of conditions; at most 50 conditions, nested at most 5 deep. `field` is a path into the fields of a record (`address.city`) or `id`, `name`, `type`, `external_uri`, `external_id`, `source`, `created_at`, `updated_at`. Values are compared only with values of the same kind: `5` is not `"5"`.';

const grouping =
  'A field: a group for each value, or with `by` for each period of dates (UTC) or step of numbers. The group then has the beginning as its value: `2026-05-11` (of a week its Monday), `2026-05`, `2026-Q2`, `2026`, or a number. Dates are texts as `2026-05-11` or as of RFC 3339, and epoch milliseconds; whole numbers of at most four digits are none. Any other value is `(none)`.';

/**
 * The components `Where`, `Sort` and `GroupField` with their parts. `suffix` ends their names; `open` ones may gain
 * members.
 */
export function conditionSchemas(suffix: string, open: boolean): Record<string, JsonSchema> {
  const ref = (name: string) => refTo(name + suffix);
  const object = (required: string[], properties: Record<string, Referable>): JsonSchema => ({
    type: 'object',
    properties,
    required,
    ...(!open && { additionalProperties: false }),
  });
  const condition = (op: Referable, value: JsonSchema) =>
    object(['field', 'op', 'value'], { field, op, value });
  const group = some(ref('Where'), conditionLimits.members_max);
  const conditions: Record<string, JsonSchema> = {
    EqualCondition: condition(refTo('EqualOp'), scalar),
    OrderCondition: condition(refTo('OrderOp'), ordered),
    InCondition: condition({ type: 'string', const: 'in' }, some(scalar, 100)),
    TextCondition: condition(refTo('TextOp'), { type: 'string', minLength: 1, maxLength: 200 }),
    ExistsCondition: condition({ type: 'string', const: 'exists' }, { type: 'boolean' }),
    AndCondition: object(['and'], { and: group }),
    OrCondition: object(['or'], { or: group }),
    NotCondition: object(['not'], { not: ref('Where') }),
  };
  const all: Record<string, JsonSchema> = {
    Where: { description, anyOf: Object.keys(conditions).map(ref) },
    ...conditions,
    Sort: { anyOf: [refTo('SortWord'), some(ref('FieldSort'), 3)] },
    FieldSort: object(['field'], { field, direction: { ...refTo('SortDirection'), default: 'asc' } }),
    GroupField: { description: grouping, anyOf: [field, ref('FieldGroup')] },
    FieldGroup: object(['field', 'by'], { field, by: ref('GroupedBy') }),
    GroupedBy: { anyOf: [refTo('GroupPeriod'), ref('GroupWidth')] },
    GroupWidth: object(['width'], { width: { type: 'number', exclusiveMinimum: 0 } }),
  };
  const named = Object.entries(all).map(([name, schema]) => [name + suffix, schema] as const);
  return { ...Object.fromEntries(named), ...enums };
}

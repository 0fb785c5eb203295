// Conditions and sorts as JSON Schema: their checks pick a variant by hand, which no generator can read.
import type { oas31 } from 'zod-openapi';
import { conditionLimits, sortWords } from '../conditions.ts';

type JsonSchema = oas31.SchemaObject;
const scalarSchema: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] };
const orderedSchema: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'number' }] };
const condition = (ops: string[], value: JsonSchema | oas31.ReferenceObject): JsonSchema => ({
  type: 'object',
  required: ['field', 'op', 'value'],
  additionalProperties: false,
  properties: {
    field: { type: 'string', minLength: 1, maxLength: 200 },
    op: { type: 'string', enum: ops },
    value,
  },
});
const whereRef: oas31.ReferenceObject = { $ref: '#/components/schemas/Where' };
const group = (name: string, value: JsonSchema | oas31.ReferenceObject): JsonSchema => ({
  type: 'object',
  required: [name],
  additionalProperties: false,
  properties: { [name]: value },
});
const whereList: JsonSchema = {
  type: 'array',
  items: whereRef,
  minItems: 1,
  maxItems: conditionLimits.members_max,
};

/** The components `Where` and `Sort`. */
export const conditionSchemas: Record<string, JsonSchema> = {
  Where: {
    description:
      'A condition over fields, or `and`, `or`, `not` of conditions; at most 50 conditions, nested at most 5 deep. `field` is a path into the fields of a record (`address.city`) or `id`, `name`, `type`, `external_uri`, `external_id`, `source`, `created_at`, `updated_at`. Values compare within their kind only: `5` is not `"5"`.',
    anyOf: [
      condition(['=', '!='], scalarSchema),
      condition(['<', '<=', '>', '>='], orderedSchema),
      condition(['in'], { type: 'array', items: scalarSchema, minItems: 1, maxItems: 100 }),
      condition(['contains', 'starts_with'], { type: 'string', minLength: 1, maxLength: 200 }),
      condition(['exists'], { type: 'boolean' }),
      group('and', whereList),
      group('or', whereList),
      group('not', whereRef),
    ],
  },
  Sort: {
    anyOf: [
      { type: 'string', enum: [...sortWords] },
      {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        items: {
          type: 'object',
          required: ['field'],
          additionalProperties: false,
          properties: {
            field: { type: 'string', minLength: 1, maxLength: 200 },
            direction: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
          },
        },
      },
    ],
  },
};

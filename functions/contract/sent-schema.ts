// `output_schema` as a request sends it: also what Zod and Pydantic print, which says the same in other keywords
// (rules.md: output 8).
import * as z from 'zod';
import { expandSchema, type SentSchema as Sent } from './expand-schema.ts';
import { Json } from './json.ts';
import { outputLimits, outputTypes } from './output-schema.ts';

export type SentSchema = Sent;

const TYPES = `One of ${outputTypes.join(', ')}, or a list of one of them and null`;

const Types = z
  .union(
    [
      z.enum(outputTypes).meta({ id: 'OutputType' }),
      z.literal('null'),
      z
        .array(z.enum([...outputTypes, 'null']).meta({ id: 'OutputTypeOrNull' }))
        .length(2)
        .refine((types) => types.filter((type) => type === 'null').length === 1),
    ],
    { error: TYPES },
  )
  .meta({ id: 'OutputTypes' });
const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], { error: 'A scalar' });
const Size = z.number().int().nonnegative().optional();
const Bound = z.number().optional();

/** One place of a schema with all that is below it. */
export const SentSchema: z.ZodType<SentSchema> = z
  .strictObject({
    type: Types.optional(),
    get properties() {
      return z.record(z.string(), SentSchema).optional();
    },
    required: z.array(z.string()).optional(),
    get items() {
      return SentSchema.optional();
    },
    enum: z.array(Scalar).min(1).max(outputLimits.schema_enum_max).optional(),
    minItems: Size,
    maxItems: Size,
    minimum: Bound,
    maximum: Bound,
    minLength: Size,
    maxLength: Size,
    format: z.enum(['date', 'date-time']).meta({ id: 'OutputFormat' }).optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    additionalProperties: z.literal(false).optional(),
    $schema: z.string().optional(),
    get $defs() {
      return z.record(z.string(), SentSchema).optional();
    },
    $ref: z.string().optional(),
    get anyOf() {
      return z.array(SentSchema).length(2, { error: 'One type and null' }).optional();
    },
    const: Scalar.optional(),
    default: Json.optional(),
  })
  .meta({ id: 'OutputSchema' });

/** A whole schema, as a request sends it. */
export const WholeOutputSchema: z.ZodType<SentSchema> = SentSchema.check(({ value, issues }) => {
  for (const { path, message } of expandSchema(value).faults)
    issues.push({ code: 'custom', path, message, input: value });
});

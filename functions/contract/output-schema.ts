// `output_schema`: the part of JSON Schema in which a request says what the data of its answer look like (rules.md:
// output 1).
import * as z from 'zod';

export const outputLimits = {
  schema_max_bytes: 64 * 1024,
  schema_depth_max: 8,
  schema_properties_max: 200,
  schema_enum_max: 100,
  elements_max: 1000,
  data_max_bytes: 256 * 1024,
  basis_max_bytes: 2 * 1024 * 1024,
  issues_max: 20,
} as const;

const outputTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean'] as const;
type OutputType = (typeof outputTypes)[number];
type OutputScalar = string | number | boolean | null;

export interface OutputSchema {
  type?: OutputType | (OutputType | 'null')[] | undefined;
  properties?: { [name: string]: OutputSchema } | undefined;
  required?: string[] | undefined;
  items?: OutputSchema | undefined;
  enum?: OutputScalar[] | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  format?: 'date' | 'date-time' | undefined;
  title?: string | undefined;
  description?: string | undefined;
  additionalProperties?: false | undefined;
}

const Type = z
  .union(
    [
      z.enum(outputTypes).meta({ id: 'OutputType' }),
      z
        .array(z.enum([...outputTypes, 'null']).meta({ id: 'OutputTypeOrNull' }))
        .length(2)
        .refine((types) => types.filter((type) => type === 'null').length === 1),
    ],
    { error: `One of ${outputTypes.join(', ')}, or a list of one of them and null` },
  )
  .meta({ id: 'OutputTypes' });
const Size = z.number().int().nonnegative().optional();
const Bound = z.number().optional();

/** One place of a schema with all that is below it. */
export const OutputSchema: z.ZodType<OutputSchema> = z
  .strictObject({
    type: Type.optional(),
    get properties() {
      return z.record(z.string(), OutputSchema).optional();
    },
    required: z.array(z.string()).optional(),
    get items() {
      return OutputSchema.optional();
    },
    enum: z
      .array(z.union([z.string(), z.number(), z.boolean(), z.null()], { error: 'A scalar' }))
      .min(1)
      .max(outputLimits.schema_enum_max)
      .optional(),
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
  })
  .check(({ value, issues }) => {
    for (const { path, message } of faultsOfOne(value))
      issues.push({ code: 'custom', path, message, input: value });
  })
  .meta({ id: 'OutputSchema' });

interface Fault {
  path: (string | number)[];
  message: string;
}

/** What one place of a schema lacks, apart from the places below it. */
function faultsOfOne(schema: OutputSchema): Fault[] {
  const { properties = {}, required = [], items } = schema;
  const untyped = schema.type === undefined && schema.enum === undefined;
  return [
    ...(untyped ? [{ path: [], message: 'A schema has a type or an enum' }] : []),
    ...(typeOf(schema) === 'array' && !items ? [{ path: ['items'], message: 'An array has items' }] : []),
    ...required.flatMap((name, i) =>
      Object.hasOwn(properties, name)
        ? []
        : [{ path: ['required', i], message: 'A required name stands in properties' }],
    ),
  ];
}

/** What no single place shows: the root, the depth, and how large the whole is. */
function faultsOfWhole(root: OutputSchema): Fault[] {
  if (root.type !== 'object') return [{ path: ['type'], message: 'The root is an object' }];
  if (new TextEncoder().encode(JSON.stringify(root)).length > outputLimits.schema_max_bytes)
    return [{ path: [], message: `At most ${outputLimits.schema_max_bytes} bytes as compact JSON` }];
  let properties = 0;
  const tooDeep: Fault[] = [];
  const look = (schema: OutputSchema, path: string[], depth: number): void => {
    if (depth > outputLimits.schema_depth_max) {
      tooDeep.push({ path, message: `Schemas nest at most ${outputLimits.schema_depth_max} deep` });
      return;
    }
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      properties += 1;
      look(inner, [...path, 'properties', name], depth + 1);
    }
    if (schema.items) look(schema.items, [...path, 'items'], depth + 1);
  };
  look(root, [], 1);
  if (properties > outputLimits.schema_properties_max)
    return [{ path: ['properties'], message: `At most ${outputLimits.schema_properties_max} in all` }];
  return tooDeep;
}

/** A whole schema, as a request sends it. */
export const WholeOutputSchema: z.ZodType<OutputSchema> = OutputSchema.check(({ value, issues }) => {
  for (const { path, message } of faultsOfWhole(value))
    issues.push({ code: 'custom', path, message, input: value });
});

/** The type of a schema apart from null; undefined if only an enum says what it takes. */
export function typeOf({ type }: OutputSchema): OutputType | undefined {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type;
}

/** Whether null is a value of the schema. */
export function allowsNull(schema: OutputSchema): boolean {
  if (schema.enum && !schema.enum.includes(null)) return false;
  return schema.type === undefined || (Array.isArray(schema.type) && schema.type.includes('null'));
}

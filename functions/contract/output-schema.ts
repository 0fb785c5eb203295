// What the data of an answer look like, in the part of JSON Schema that the service works with (rules.md: output 1).

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

export const outputTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean'] as const;
type OutputType = (typeof outputTypes)[number];
export type OutputScalar = string | number | boolean | null;

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

/** The type of a schema apart from null; undefined if only an enum says what it takes. */
export function typeOf({ type }: OutputSchema): OutputType | undefined {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type;
}

/** Whether null is a value of the schema. */
export function allowsNull(schema: OutputSchema): boolean {
  if (schema.enum && !schema.enum.includes(null)) return false;
  return schema.type === undefined || (Array.isArray(schema.type) && schema.type.includes('null'));
}

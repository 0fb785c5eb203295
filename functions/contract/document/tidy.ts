// Rewrites generated schemas into the keywords that most tools understand.

interface Described {
  [keyword: string]: unknown;
}

/** Drops the bounds of safe integers, patterns that a `uuid` format implies, and other empty keywords. */
export function tidy(schema: Described): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.minLength === 0) delete schema.minLength;
  if (schema.format === 'uuid') delete schema.pattern;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  if (typeof schema.const === 'number') boundConstant(schema, schema.const);
  if (Array.isArray(schema.anyOf)) joinNull(schema, schema.anyOf);
}

/** A constant number becomes bounds: some generators fail on a negative one. */
function boundConstant(schema: Described, constant: number): void {
  delete schema.const;
  Object.assign(schema, { type: 'integer', minimum: constant, maximum: constant });
}

/** A nullable type becomes a list of types, never a union. */
function joinNull(schema: Described, variants: Described[]): void {
  const [value, nothing] = variants;
  if (variants.length !== 2 || nothing?.type !== 'null' || typeof value?.type !== 'string') return;
  delete schema.anyOf;
  Object.assign(schema, value, { type: [value.type, 'null'] });
}

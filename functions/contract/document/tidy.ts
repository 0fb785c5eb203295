// Removes keywords from generated schemas that tell a reader nothing.

interface Described {
  [keyword: string]: unknown;
}

/** Drops the bounds of safe integers, the pattern that a `uuid` format stands for, and other empty keywords. */
export function tidy(schema: Described): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.minLength === 0) delete schema.minLength;
  if (schema.format === 'uuid') delete schema.pattern;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
}

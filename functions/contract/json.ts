// JSON as a type and a schema, for fields with client-defined content.
import * as z from 'zod';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

// What was parsed from JSON is not looked into: `z.record` loses members named `__proto__`.
export const Json: z.ZodType<Json> = z.custom<Json>((value) => value !== undefined).meta({ id: 'Json' });
export const JsonObject: z.ZodType<JsonObject> = z.custom<JsonObject>(isJsonObject, 'Not an object');

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member of an unchecked value; undefined if it has none. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** A string whose length is counted in Unicode code points (rules.md: json 2), not in UTF-16 units. */
export function text(minimum: number, maximum: number) {
  return z
    .string()
    .check((context) => {
      const units = context.value.length;
      // A code point is one or two units: most texts need no slow count.
      if (units >= 2 * minimum && units <= maximum) return;
      const length = units > 2 * maximum ? units : [...context.value].length;
      if (length < minimum)
        context.issues.push({
          code: 'too_small',
          minimum,
          inclusive: true,
          origin: 'string',
          input: context.value,
          message: `Too short: at least ${minimum} characters`,
        });
      if (length > maximum)
        context.issues.push({
          code: 'too_big',
          maximum,
          inclusive: true,
          origin: 'string',
          input: context.value,
          message: `Too long: at most ${maximum} characters`,
        });
    })
    .meta({ minLength: minimum, maxLength: maximum });
}

export const Uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'Not a UUID')
  .meta({ format: 'uuid' });

/** Epoch milliseconds. */
export const EpochMs = z.number().int().nonnegative().meta({ format: 'int64' });

// The names of the fields that a schema has at a place, for the nearest to one that is unknown.
import * as z from 'zod';
import { memberOf } from '#contract/json.ts';

type Path = readonly (string | number)[];

/** The members of a condition, whose schema depends on the value. */
const conditionNames = ['field', 'op', 'value', 'and', 'or', 'not'];

/** The names at a path of a value. */
export function knownNames(schema: unknown, value: unknown, path: Path): string[] {
  if (path.includes('where')) return conditionNames;
  return [...new Set(objectsAt(schema, value, path).flatMap(({ shape }) => Object.keys(shape)))];
}

/** The schemas of the objects that may be at the path. */
function objectsAt(schema: unknown, value: unknown, path: Path): z.ZodObject[] {
  const [key, ...rest] = path;
  if (schema instanceof z.ZodObject && key === undefined) return [schema];
  if (schema instanceof z.ZodUnion)
    return optionsOf(schema, value).flatMap((option) => objectsAt(option, value, path));
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return objectsAt(schema.unwrap(), value, path);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly)
    return objectsAt(schema.unwrap(), value, path);
  if (schema instanceof z.ZodPipe) return objectsAt(schema.in, value, path);
  if (key === undefined) return [];
  const inner = memberOf(value, String(key));
  if (schema instanceof z.ZodObject) return objectsAt(schema.shape[key], inner, rest);
  if (schema instanceof z.ZodArray) return objectsAt(schema.element, inner, rest);
  return schema instanceof z.ZodRecord ? objectsAt(schema.valueType, inner, rest) : [];
}

/** The options that a value selects by a discriminator; all, if there is none. */
function optionsOf(schema: z.ZodUnion, value: unknown): readonly unknown[] {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema.options;
  const { discriminator } = schema.def;
  const own = memberOf(value, discriminator);
  return schema.options.filter((option) => {
    const named = option instanceof z.ZodObject ? option.shape[discriminator] : undefined;
    return !(named instanceof z.ZodType) || named.safeParse(own).success;
  });
}

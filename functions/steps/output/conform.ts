// Whether data conform to an `output_schema`. The check of the whole is made apart from what fills the values in.
import * as z from 'zod';
import { isJsonObject, type Json } from '#contract/json.ts';
import { allowsNull, type OutputSchema, typeOf } from '#contract/output-schema.ts';
import { pointerTo } from '#platform/json-pointer.ts';

/** What is wrong at a place of the data. */
export interface OutputIssue {
  /** JSON Pointer. */
  path: string;
  message: string;
}

const isDate = (text: string): boolean => z.iso.date().safeParse(text).success;
const TIME = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const formats = {
  date: isDate,
  'date-time': (text: string) => isDate(text.slice(0, 10)) && TIME.test(text.slice(10)),
};

/** Why a schema does not take a value that is no object, array or null; undefined if it does. */
export function scalarFault(schema: OutputSchema, value: string | number | boolean): string | undefined {
  const type = typeOf(schema);
  if (type !== undefined && !isOfType(value, type)) return `is ${nameOf(value)}, not of type ${type}`;
  if (schema.enum && !schema.enum.includes(value)) return 'is none of the values in enum';
  if (typeof value === 'number') return numberFault(schema, value);
  return typeof value === 'string' ? textFault(schema, value) : undefined;
}

function isOfType(value: string | number | boolean, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function numberFault({ minimum, maximum }: OutputSchema, value: number): string | undefined {
  if (minimum !== undefined && value < minimum) return `is less than ${minimum}`;
  return maximum !== undefined && value > maximum ? `is more than ${maximum}` : undefined;
}

function textFault({ minLength = 0, maxLength, format }: OutputSchema, value: string): string | undefined {
  const length = [...value].length;
  if (length < minLength) return `is shorter than ${minLength} characters`;
  if (maxLength !== undefined && length > maxLength) return `is longer than ${maxLength} characters`;
  return format && !formats[format](value) ? `is no ${format}` : undefined;
}

function nameOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}

/** Everything that keeps the data from conforming, in document order. */
export function outputFaults(schema: OutputSchema, data: Json, path = ''): OutputIssue[] {
  const fault = (message: string): OutputIssue[] => [{ path, message }];
  if (data === null) return allowsNull(schema) ? [] : fault('is null');
  if (Array.isArray(data))
    return typeOf(schema) === 'array' ? listFaults(schema, data, path) : fault('is a list');
  if (typeof data !== 'object') {
    const message = scalarFault(schema, data);
    return message === undefined ? [] : fault(message);
  }
  if (typeOf(schema) !== 'object') return fault('is an object');
  const { properties = {}, required = [] } = schema;
  return [
    ...required
      .filter((name) => !Object.hasOwn(data, name))
      .map((name) => ({ path: pointerTo(path, name), message: 'is required' })),
    ...Object.entries(data).flatMap(([name, value]) => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const at = pointerTo(path, name);
      return inner ? outputFaults(inner, value, at) : [{ path: at, message: 'is not in the schema' }];
    }),
  ];
}

function listFaults(schema: OutputSchema, list: Json[], path: string): OutputIssue[] {
  const { items } = schema;
  const size = sizeFault(schema, list.length);
  return [
    ...(size === undefined ? [] : [{ path, message: size }]),
    ...(items ? list.flatMap((value, i) => outputFaults(items, value, pointerTo(path, i))) : []),
  ];
}

/** Why a list of this length does not fit. */
export function sizeFault({ minItems = 0, maxItems }: OutputSchema, length: number): string | undefined {
  if (length < minItems) return `has ${length} elements; at least ${minItems} are needed`;
  return maxItems !== undefined && length > maxItems ? `has more than ${maxItems} elements` : undefined;
}

/** The member of an object by its own name. */
export function ownMember(object: { [name: string]: Json }, name: string): Json | undefined {
  return isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

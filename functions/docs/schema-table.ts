// Schemas for people: a type in words, and a table of fields.
import type { Schema } from './document.ts';
import { homeOf, nameIn } from './reference.ts';
import { code, table } from './write-markdown.ts';

/** The type of a value, in one line; components are links. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return componentLink(schema.$ref);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return variants.map(typeOf).join(' or ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' or ');
  if (schema.type === 'array') return schema.items ? `array of ${typeOf(schema.items)}` : 'array';
  if (schema.type === 'object') return objectType(schema);
  return [schema.type ?? 'any value'].flat().join(' or ');
}

/** An object as a table of fields, nested ones with dotted names; anything else as its type. */
export function schemaTable(schema: Schema): string {
  const fields = fieldsOf(schema, '');
  if (fields.length === 0) return boundedType(schema);
  const explained = fields.some(({ field }) => field.description);
  const rows = fields.map(({ path, field, required }) => [
    nameCell(path, required),
    boundedType(field),
    ...(explained ? [field.description ?? ''] : []),
  ]);
  return table(['Field', 'Type', ...(explained ? ['Meaning'] : [])], rows);
}

/** The name of a field or parameter. */
export const nameCell = (name: string, isRequired: boolean | undefined) =>
  isRequired ? code(name) : `${code(name)} *optional*`;

/** The type of a value with its limits and default. */
export function boundedType(schema: Schema): string {
  const words = [
    // The width of a number is for generators.
    schema.format === 'int64' ? undefined : schema.format,
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' entries'),
    range(undefined, schema.maxProperties, ' pairs'),
    schema.default === undefined ? undefined : `default ${literal(schema.default)}`,
  ];
  return [typeOf(schema), ...words.flatMap((word) => (word === undefined ? [] : [`*${word}*`]))].join(' ');
}

interface Field {
  path: string;
  field: Schema;
  required: boolean;
}

function fieldsOf(schema: Schema, prefix: string): Field[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (!field) return [];
    const path = `${prefix}${name}`;
    const isList = field.type === 'array' && field.items?.properties !== undefined;
    const inner = isList ? field.items : field;
    return [
      { path, field, required: required.has(name) },
      ...(inner ? fieldsOf(inner, isList ? `${path}[].` : `${path}.`) : []),
    ];
  });
}

function objectType(schema: Schema): string {
  if (schema.properties || typeof schema.additionalProperties !== 'object') return 'object';
  return `map of ${typeOf(schema.additionalProperties)}`;
}

function componentLink(ref: string): string {
  const name = nameIn(ref);
  const home = homeOf(name);
  return home ? `[${name}](${home})` : name;
}

const literal = (value: unknown) => code(JSON.stringify(value));

function range(minimum: number | undefined, maximum: number | undefined, unit: string): string | undefined {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}${unit}`;
  if (maximum !== undefined) return `at most ${maximum}${unit}`;
  return minimum === undefined ? undefined : `at least ${minimum}${unit}`;
}

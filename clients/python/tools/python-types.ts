// The Python client's types, made from the OpenAPI document: a TypedDict per object, a Literal per list of words, a
// Union per choice.

interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
}

/** What the generator reads of the document. */
interface TypedDocument {
  components: { schemas: Readonly<Record<string, Schema>> };
}

const HEAD = `"""The API's types, generated from its OpenAPI document: \`npm run openapi\` writes this file."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, TypedDict, Union
`;

/** A stream carries one event that is none of the log: the one that ends a connection. */
const NOT_OF_LOG = 'ConnectionExpiredEvent';
/** Words of Python that are names of fields, such as \`not\` in conditions. */
const KEYWORDS = new Set(['and', 'as', 'from', 'in', 'is', 'not', 'or']);
/** What can be the name of a field of a class. */
const NAME = /^[A-Za-z_]\w*$/;
/** Fields that a TypedDict of the caller describes: only an Any can be assigned to one. */
const SHAPED_BY_CALLER = new Set(['RunOutput.data']);

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** The module of types, from the text of the document. */
export function pythonTypes(text: string): string {
  const {
    components: { schemas },
  }: TypedDocument = JSON.parse(text);
  const definitions = Object.entries(schemas).map(([name, schema]) => definition(name, schema));
  const ofLog = (schemas.Event?.oneOf ?? []).map(refName).filter((name) => name !== NOT_OF_LOG);
  const runEvent = alias('RunEvent', union(ofLog.map(quoted)), 'An event of the log of a run.');
  const row = alias('Row', 'dict[str, Any]', 'A row of a table, by column.');
  return `${[HEAD, ...definitions, runEvent, row].join('\n\n')}`;
}

const refName = ({ $ref = '' }: Schema): string => $ref.split('/').at(-1) ?? '';
const quoted = (text: string) => `"${text}"`;
const literal = (values: readonly unknown[]) =>
  `Literal[${values.map((one) => pythonValue(one)).join(', ')}]`;
const union = (types: readonly string[]) =>
  types.length === 1 ? String(types[0]) : `Union[${types.join(', ')}]`;

function pythonValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string' || typeof value === 'number') return JSON.stringify(value);
  throw new Error(`no literal of Python: ${JSON.stringify(value)}`);
}

function definition(name: string, schema: Schema): string {
  return schema.properties && !schema.oneOf
    ? typedDict(name, schema, schema.properties)
    : alias(name, typeOf(schema), schema.description);
}

function alias(name: string, type: string, description?: string): string {
  return `${name} = ${type}\n${docstring('', description)}`;
}

/** The required fields in a base of the class: marks for single fields exist only from Python 3.11 on. */
function typedDict(name: string, schema: Schema, properties: Readonly<Record<string, Schema>>): string {
  const isRequired = (field: string) => schema.required?.includes(field) ?? false;
  const [required, optional] = [true, false].map((wanted) =>
    Object.entries(properties).filter(([field]) => isRequired(field) === wanted),
  );
  if (!required?.length) return fieldsOf(name, 'TypedDict, total=False', optional ?? [], schema.description);
  if (!optional?.length) return fieldsOf(name, 'TypedDict', required, schema.description);
  const base = fieldsOf(`_${name}Required`, 'TypedDict', required);
  return `${base}\n\n${fieldsOf(name, `_${name}Required, total=False`, optional, schema.description)}`;
}

function fieldsOf(
  name: string,
  base: string,
  fields: readonly (readonly [string, Schema])[],
  description?: string,
): string {
  if (fields.every(([field]) => NAME.test(field) && !KEYWORDS.has(field))) {
    const lines = fields.map(
      ([field, one]) => `    ${field}: ${fieldType(name, field, one)}\n${docstring('    ', one.description)}`,
    );
    const text = docstring('    ', description);
    return `class ${name}(${base}):\n${text}${text && '\n'}${lines.join('')}`;
  }
  // A class cannot have such fields.
  const [parent, total] = base.split(', ');
  if (parent !== 'TypedDict') throw new Error(`${name} adds fields that no class of Python can have`);
  const pairs = fields.map(([field, one]) => `    "${field}": ${typeOf(one)},\n`);
  const end = total === undefined ? '' : `, ${total}`;
  return `${name} = TypedDict("${name}", {\n${pairs.join('')}}${end})\n${docstring('', description)}`;
}

function fieldType(name: string, field: string, schema: Schema): string {
  return SHAPED_BY_CALLER.has(`${name}.${field}`) ? 'Any' : typeOf(schema);
}

function typeOf(schema: Schema): string {
  const { $ref, oneOf, anyOf, type } = schema;
  // Names are quoted, because some stand before their definition.
  if ($ref !== undefined) return quoted(refName(schema).replace(/^Event$/, 'RunEvent'));
  if ('const' in schema) return literal([schema.const]);
  if (schema.enum) return literal(schema.enum);
  const choices = oneOf ?? anyOf;
  if (choices) return union(choices.map(typeOf));
  if (type === undefined) return 'Any';
  return union([type].flat().map((one) => typeNamed(one, schema)));
}

function typeNamed(type: string, { items = {}, properties, additionalProperties }: Schema): string {
  if (type === 'array') return `list[${typeOf(items)}]`;
  if (type !== 'object') return PRIMITIVES[type] ?? 'Any';
  if (properties) throw new Error('an object with fields needs a name');
  return `dict[str, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'Any'}]`;
}

function docstring(indent: string, text: string | undefined): string {
  if (!text) return '';
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `${indent}"""${safe}"""\n`;
}

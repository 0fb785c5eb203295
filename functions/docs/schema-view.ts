// Renders schemas for people: a type in words, and a table of fields.
import type { Schema } from './document.ts';
import { type Html, html, join } from './html.ts';
import { inline } from './prose.ts';
import { homeOf, nameIn } from './reference.ts';

/** The type of a value, in one line; components are links. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return componentLink(schema.$ref);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return join(variants.map(typeOf), ' or ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return join(schema.enum.map(literal), ' or ');
  if (schema.type === 'array') return schema.items ? html`array of ${typeOf(schema.items)}` : html`array`;
  if (schema.type === 'object') return objectType(schema);
  return html`${[schema.type ?? 'any value'].flat().join(' or ')}`;
}

/** Renders a schema: an object as a table of fields, nested ones with dotted names; anything else as its type. */
export function schemaView(schema: Schema): Html {
  const fields = fieldsOf(schema, '');
  if (fields.length === 0) return html`<p class="type">${typeOf(schema)} ${boundsOf(schema)}</p>`;
  const explained = fields.some(({ field }) => field.description);
  const rows = fields.map((one) => fieldRow(one, explained));
  return html`<div class="scroll"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th>${explained && html`<th scope="col">Meaning</th>`}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Limits and default of a value, in words. */
export function boundsOf(schema: Schema): Html {
  const words = [
    // The width of a number is for generators.
    schema.format === 'int64' ? undefined : schema.format,
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' entries'),
    range(undefined, schema.maxProperties, ' pairs'),
  ].filter((word) => word !== undefined);
  const fallback =
    schema.default === undefined
      ? undefined
      : html`<span class="bounds">default ${literal(schema.default)}</span>`;
  return html`${words.map((word) => html`<span class="bounds">${word}</span> `)}${fallback}`;
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

function fieldRow({ path, field, required }: Field, explained: boolean): Html {
  return html`<tr><th scope="row"><code>${path}</code>${!required && html` <span class="optional">optional</span>`}</th><td>${typeOf(field)} ${boundsOf(field)}</td>${explained && html`<td>${inline(field.description ?? '')}</td>`}</tr>`;
}

function objectType(schema: Schema): Html {
  if (schema.properties || typeof schema.additionalProperties !== 'object') return html`object`;
  return html`map of ${typeOf(schema.additionalProperties)}`;
}

function componentLink(ref: string): Html {
  const name = nameIn(ref);
  const home = homeOf(name);
  return home ? html`<a href="${home}">${name}</a>` : html`${name}`;
}

const literal = (value: unknown) => html`<code>${JSON.stringify(value)}</code>`;

function range(minimum: number | undefined, maximum: number | undefined, unit: string): string | undefined {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}${unit}`;
  if (maximum !== undefined) return `at most ${maximum}${unit}`;
  return minimum === undefined ? undefined : `at least ${minimum}${unit}`;
}

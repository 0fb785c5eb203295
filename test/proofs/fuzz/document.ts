// The OpenAPI document as the fuzzer reads it: operations, and values that fit their schemas.
import { readFileSync } from 'node:fs';
import type { Random } from '../random.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}
interface Described {
  operationId: string;
  parameters?: ({ $ref: string } | Parameter)[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const file = new URL('../../../functions/contract/openapi.json', import.meta.url);
const document: Document = JSON.parse(readFileSync(file, 'utf8'));
const nameIn = (ref: string) => ref.split('/').at(-1) ?? '';

function parameterOf(one: { $ref: string } | Parameter): Parameter {
  if (!('$ref' in one)) return one;
  const found = document.components.parameters[nameIn(one.$ref)];
  if (!found) throw new Error(`no parameter ${one.$ref}`);
  return found;
}

/** Every operation of the document. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    parameters: (described.parameters ?? []).map(parameterOf),
    body: described.requestBody?.content['application/json']?.schema,
  })),
);

const WORDS = ['company', 'companies', 'Berlin', 'revenue', 'who', 'Acme', 'über', '東京', '🙂', 'a_b', 'x'];

/** A string of a schema's length, of ordinary words. */
function text(random: Random, { minLength = 0, maxLength = 30 }: Schema): string {
  const words = Array.from({ length: 1 + random.below(4) }, () => random.pick(WORDS)).join(' ');
  const fitting = [...words].slice(0, Math.min(maxLength, 200)).join('');
  return fitting.padEnd(minLength, 'x');
}

/** A value that fits the schema. Depth is bounded. */
export function fitting(random: Random, schema: Schema, depth = 0): unknown {
  if (schema.$ref) return fitting(random, document.components.schemas[nameIn(schema.$ref)] ?? {}, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return fitting(random, random.pick(variants), depth);
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  switch (type) {
    case 'object':
      return fittingObject(random, schema, depth);
    case 'array':
      return fittingArray(random, schema, depth);
    case 'integer':
    case 'number': {
      const low = schema.minimum ?? 0;
      return low + random.below(Math.min(schema.maximum ?? low + 100, low + 200) - low + 1);
    }
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return schema.format === 'uuid' ? '00000000-0000-4000-8000-00000000000f' : text(random, schema);
  }
}

function fittingObject(random: Random, schema: Schema, depth: number): Record<string, unknown> {
  const required = new Set(schema.required);
  const share = depth > 4 ? 0 : 0.4;
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => required.has(name) || random.chance(share))
      .map(([name, property]) => [name, fitting(random, property, depth + 1)]),
  );
}

function fittingArray(random: Random, schema: Schema, depth: number): unknown[] {
  const least = schema.minItems ?? 0;
  const most = Math.min(schema.maxItems ?? 4, least + (depth > 4 ? 0 : 4));
  const length = least + random.below(Math.max(most - least, 0) + 1);
  return Array.from({ length }, () => fitting(random, schema.items ?? {}, depth + 1));
}

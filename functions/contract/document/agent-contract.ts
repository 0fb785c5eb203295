// What the tools for agents need of the contract: the request of a run as a JSON schema, and what to do about errors.
import type { createDocument } from 'zod-openapi';
import { reasonTexts } from '../error-reasons.ts';
import { errorCodes, errors } from '../errors.ts';

type Document = ReturnType<typeof createDocument>;

/** The fields of a request, by the input type that needs them. */
const VARIANTS = { query: 'CreateQueryRun', plan: 'CreatePlanRun', preset: 'CreatePresetRun' } as const;
const REFERENCE = '#/components/schemas/';

/**
 * One object at the root, because agents know no other: the fields of all variants, each described with the
 * `input_type` that takes it.
 */
export function agentContract({ components }: Document) {
  const schemas: Record<string, unknown> = { ...components?.schemas };
  const properties: Record<string, object> = {
    input_type: { type: 'string', enum: Object.keys(VARIANTS), description: 'What the run starts from.' },
  };
  for (const [input_type, name] of Object.entries(VARIANTS)) {
    const own: object = Reflect.get(Object(schemas[name]), 'properties') ?? {};
    for (const [field, schema] of Object.entries(own))
      properties[field] ??= isShared(field)
        ? schema
        : { ...schema, description: described(schema, input_type) };
  }
  const request = {
    type: 'object',
    properties,
    required: ['input_type'],
    additionalProperties: false,
    $defs: definitionsIn(properties, schemas),
  };
  return { request: withDefinitions(request), remedies: remedies() };
}

const isShared = (field: string) => ['config', 'metadata', 'callback_url'].includes(field);

function described(schema: object, input_type: string): string {
  const own: unknown = Reflect.get(schema, 'description');
  return `With input_type ${input_type}.${typeof own === 'string' ? ` ${own}` : ''}`;
}

/** The schemas that these refer to, in their own terms, and so on. */
function definitionsIn(value: object, schemas: Record<string, unknown>): Record<string, object> {
  const found: Record<string, object> = {};
  const open = [value];
  for (let next = open.pop(); next; next = open.pop())
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name];
      if (!schema || found[name]) continue;
      // A discriminator is no word of JSON Schema.
      const definition = { ...Object(schema), discriminator: undefined };
      found[name] = definition;
      open.push(definition);
    }
  return found;
}

const withDefinitions = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll(REFERENCE, '#/$defs/'));

/** By code: what the caller should do, by reason if there are several. */
function remedies(): Record<string, { remedy: string; reasons?: Readonly<Record<string, string>> }> {
  return Object.fromEntries(
    errorCodes.map((code) => {
      const reasons = reasonTexts.get(code);
      return [code, { remedy: errors[code].remedy, ...(reasons && { reasons }) }];
    }),
  );
}

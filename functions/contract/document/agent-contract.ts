// What the tools for agents need of the contract: the request of a run as a JSON schema, and what to do about errors.
import type { createDocument } from 'zod-openapi';
import { reasonTexts } from '../error-reasons.ts';
import { errorCodes, errors } from '../errors.ts';
import { briefSchema, type Schema } from './brief-schema.ts';

type Document = ReturnType<typeof createDocument>;

/** The fields of a request, by the input type that needs them. */
const VARIANTS = { query: 'CreateQueryRun', plan: 'CreatePlanRun', preset: 'CreatePresetRun' } as const;
const REFERENCE = '#/components/schemas/';

/**
 * The request as one object, because agents know no other: the fields of all variants. `whole` is the document's own
 * words, and `brief` says the same in half as many characters, for the list of tools.
 */
export function agentContract({ components }: Document) {
  const schemas: Record<string, unknown> = { ...components?.schemas };
  const properties: Record<string, object> = { input_type: INPUT_TYPE };
  for (const name of Object.values(VARIANTS)) {
    const own: object = Reflect.get(Object(schemas[name]), 'properties') ?? {};
    for (const [field, schema] of Object.entries(own)) properties[field] ??= schema;
  }
  const whole = withDefinitions({
    type: 'object',
    properties,
    additionalProperties: false,
    $defs: definitionsIn(properties, schemas),
  });
  const brief = briefSchema(whole, { OutputSchema: openOf(schemas.OutputSchema) });
  return { request: { whole, brief, checked: checkedOf(brief) }, remedies: remedies() };
}

const INPUT_TYPE = {
  type: 'string',
  enum: Object.keys(VARIANTS),
  description:
    'What the run starts from: `query`, `plan`, or `preset` with `params`. It may be left out: the field says it.',
};

/** A schema that contains itself and that agents know: its description is enough. */
const openOf = (schema: unknown): Schema => ({
  type: 'object',
  description: Reflect.get(Object(schema), 'description'),
});

/** The fields of a request, whose plan and options another tool describes. */
function checkedOf({ properties }: Schema): Schema {
  const { input_type, query, preset, ...others } = Object(properties);
  const open = Object.fromEntries(
    Object.keys(others).map((name) => [name, { type: openTypeOf(others[name]) }]),
  );
  return { type: 'object', properties: { input_type, query, preset, ...open }, additionalProperties: false };
}

const openTypeOf = (schema: unknown): unknown => Reflect.get(Object(schema), 'type');

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

const withDefinitions = (schema: object): Schema =>
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

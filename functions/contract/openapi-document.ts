// The contract as an OpenAPI 3.1 document, written to openapi.json by bin/openapi.ts; no handler imports this module.
import { createDocument } from 'zod-openapi';
import { conditionSchemas } from './document/condition-schemas.ts';
import { detailsName } from './document/error-schemas.ts';
import { Event } from './document/event-schemas.ts';
import { annotate, type Schemas } from './document/fields.ts';
import { introduction } from './document/introduction.ts';
import { paths } from './document/operations.ts';
import { tags } from './document/texts.ts';
import { tidy } from './document/tidy.ts';
import { sentByService, webhooks } from './document/webhook-messages.ts';
import { reasonTexts } from './error-reasons.ts';
import { errorCodes, errors } from './errors.ts';
import { RunEvent } from './events.ts';
import { JsonObject } from './json.ts';
import { API_VERSION, limits } from './limits.ts';

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Ends the name of a request schema that a reply echoes. */
const AS_SENT = 'AsSent';

/** Builds the document. Its server is a variable, replaced by the real address when served. */
export function openApiDocument() {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info,
      servers,
      externalDocs: { url: 'http://127.0.0.1:8787/docs', description: 'The reference with its guides.' },
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      paths: paths(),
      webhooks: webhooks(),
      components: { parameters, headers, securitySchemes },
    },
    { override, outputIdSuffix: AS_SENT, allowEmptySchema: { custom: true } },
  );
  const schemas = document.components?.schemas ?? {};
  if (typeof schemas.Error === 'object') Object.assign(schemas.Error, { 'x-error-codes': errorTable() });
  addConditions(schemas);
  annotate(schemas, AS_SENT);
  return document;
}

interface Generated {
  zodSchema: unknown;
  jsonSchema: Record<string, unknown>;
  io: 'input' | 'output';
}

/** Request schemas are closed; schemas of what the service sends are open, because that may grow. */
function override({ zodSchema, jsonSchema, io }: Generated): void {
  const isSent = io === 'output' || sentByService.has(zodSchema);
  if (isSent && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (zodSchema === JsonObject) Object.assign(jsonSchema, anyObject);
  if (zodSchema === RunEvent) Object.assign(clear(jsonSchema), schemaRef('Event'));
  if (zodSchema === Event) Object.assign(jsonSchema, anyType);
  tidy(jsonSchema);
}

const anyObject = { type: 'object', additionalProperties: schemaRef('Json') };

/** Names the type of an event; the members of the union define the rest. */
const anyType = {
  properties: { event_type: schemaRef('EventType') },
  required: ['event_type'],
  unevaluatedProperties: true,
};

function clear(schema: Record<string, unknown>): object {
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  return schema;
}

/**
 * Adds conditions and sorts, and makes echoed requests refer to their open form; what a reference names is open itself.
 */
function addConditions(schemas: Schemas): void {
  const handMade = /schemas\/(Where|Sort|GroupField)"/g;
  const closedReference = /"additionalProperties":false,(?="\$ref")/g;
  for (const [name, schema] of Object.entries(schemas))
    if (name.endsWith(AS_SENT))
      schemas[name] = JSON.parse(
        JSON.stringify(schema).replace(handMade, `schemas/$1${AS_SENT}"`).replace(closedReference, ''),
      );
  Object.assign(schemas, conditionSchemas('', false), conditionSchemas(AS_SENT, true));
}

const info = {
  title: 'Run service',
  // npm and Python take it as the version of a package: a date with dots, without leading zeros.
  version: API_VERSION.split('-').map(Number).join('.'),
  description: introduction,
  contact: { name: 'The operators of the deployment that you use' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
};

const servers = [
  { url: 'http://127.0.0.1:8787', description: 'The local service.' },
  {
    url: 'https://{host}',
    description: 'A deployment.',
    variables: {
      host: {
        default: 'ID.execute-api.REGION.amazonaws.com',
        description: 'Host of the REST API, or of a domain before it.',
      },
    },
  },
];

function errorTable(): Record<string, object> {
  return Object.fromEntries(
    errorCodes.map((code) => {
      const { details: _, ...row } = errors[code];
      const name = detailsName(code);
      const reasons = reasonTexts.get(code);
      return [code, { ...row, ...(name && { details: schemaRef(name) }), ...(reasons && { reasons }) }];
    }),
  );
}

const parameters = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header' as const,
    // Another one is replaced, not refused.
    description: `Your own id of this request: 1 to ${limits.request_id_max_characters} of letters, digits and \`. _ : -\`. It comes back on the reply; another id is replaced by one of the service.`,
    schema: { type: 'string' as const },
  },
};

const headers = {
  'X-Request-Id': { description: 'Id of this request.', required: true, schema: { type: 'string' as const } },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer' as const },
  },
  'Idempotency-Replayed': {
    description: 'The run existed before this request.',
    schema: { type: 'string' as const, const: 'true' },
  },
};

const securitySchemes = {
  ApiKey: {
    type: 'http' as const,
    scheme: 'bearer',
    description: 'A key of a workspace; roles are its scopes.',
  },
  EventToken: {
    type: 'apiKey' as const,
    in: 'query' as const,
    name: 'event_token',
    description: 'A token of one run, for those who cannot send a header.',
  },
  ArtifactLink: {
    type: 'apiKey' as const,
    in: 'query' as const,
    name: 'link',
    description: 'The signature in a link to one artifact; the whole address comes from the service.',
  },
  JobToken: {
    type: 'http' as const,
    scheme: 'bearer',
    description: 'The `token` of a job, as its worker is sent it: good for this job alone, while it is open.',
  },
  SyncSignature: {
    type: 'apiKey' as const,
    in: 'header' as const,
    name: 'X-Webhook-Signature',
    description:
      '`sha256=` and the lowercase hex HMAC-SHA256 of the exact body; the key is the lowercase hex SHA-256 of the bridge secret, as text.',
  },
};

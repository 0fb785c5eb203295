// The contract as an OpenAPI 3.1 document. Written to openapi.json by bin/openapi.ts; no handler imports this module.
import * as z from 'zod';
import { createDocument } from 'zod-openapi';
import { componentName } from './component-name.ts';
import { conditionSchemas } from './document/condition-schemas.ts';
import { annotate } from './document/fields.ts';
import { introduction } from './document/introduction.ts';
import { paths } from './document/operations.ts';
import { tags } from './document/texts.ts';
import { tidy } from './document/tidy.ts';
import { webhooks } from './document/webhooks.ts';
import { type ErrorCode, errorCodes, errors } from './errors.ts';
import { type EventType, eventData, eventTypes, RunEvent } from './events.ts';
import { API_VERSION, limits } from './limits.ts';
import { stepKinds, stepTable } from './steps.ts';

const eventName = (type: EventType) => componentName(type, 'Event');
/** Name of the component that holds the `details` of a code. */
export const detailsName = (code: ErrorCode) => componentName(code, 'Details');
const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Builds the document. Its server is a variable, which is replaced by the real address when the document is served. */
export function openApiDocument() {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Run service', version: API_VERSION, description: introduction },
      servers: [server],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      paths: paths(),
      webhooks: webhooks(),
      components: { schemas: extraSchemas(), parameters, headers, securitySchemes },
    },
    { override: ({ jsonSchema }) => tidy(jsonSchema) },
  );
  const schemas = document.components?.schemas ?? {};
  schemas.Event = eventUnion;
  if (typeof schemas.Error === 'object') Object.assign(schemas.Error, { 'x-error-codes': errorTable() });
  Object.assign(schemas, conditionSchemas);
  annotate(schemas);
  return document;
}

const server = {
  url: '{site}',
  variables: { site: { default: 'http://127.0.0.1:8787', description: 'Host of the service.' } },
};

/** Schemas that no route names directly: params by step kind, events by type, details by error code. */
function extraSchemas(): Record<string, z.ZodType> {
  const params = stepKinds.map((kind) => [componentName(kind, 'Params'), stepTable[kind].params] as const);
  const events = eventTypes.map(
    (type) =>
      [eventName(type), RunEvent.extend({ event_type: z.literal(type), data: eventData[type] })] as const,
  );
  const details = errorCodes.flatMap((code) => {
    const schema = errors[code].details;
    return schema ? [[detailsName(code), schema] as const] : [];
  });
  return Object.fromEntries<z.ZodType>([...params, ...events, ...details]);
}

const eventUnion = {
  type: 'object' as const,
  oneOf: eventTypes.map((type) => schemaRef(eventName(type))),
  discriminator: {
    propertyName: 'event_type',
    mapping: Object.fromEntries(eventTypes.map((type) => [type, schemaRef(eventName(type)).$ref])),
  },
};

function errorTable(): Record<string, object> {
  return Object.fromEntries(
    errorCodes.map((code) => {
      const { details, ...row } = errors[code];
      return [code, { ...row, ...(details && { details: schemaRef(detailsName(code)) }) }];
    }),
  );
}

const parameters = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header' as const,
    description: 'Your own id of this request; it comes back on the reply.',
    schema: { type: 'string' as const, minLength: 1, maxLength: limits.request_id_max_characters },
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
  EventToken: { type: 'apiKey' as const, in: 'query' as const, name: 'event_token' },
  SyncSignature: { type: 'apiKey' as const, in: 'header' as const, name: 'X-Webhook-Signature' },
};

// Routes as OpenAPI operations: parameters, body, replies, errors by status.
import * as z from 'zod';
import {
  createSchema,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { type ErrorCode, errors, retryAfterStatuses } from '../errors.ts';
import { Uuid } from '../json.ts';
import { type Route, type RouteName, routes } from '../routes.ts';
import { SyncError, type SyncErrorCode, syncErrors } from '../sync.ts';
import { ErrorReply, gatewayErrors } from './error-schemas.ts';
import { Event } from './event-schemas.ts';
import { bodyExamples, errorExample, exampleOf, textExamples } from './examples.ts';
import { parameterText } from './parameters.ts';
import { sitePages } from './site-pages.ts';
import { type DocumentedRoute, documentedRoutes, routeTexts } from './texts.ts';
import { tidy } from './tidy.ts';

/** Described by the security scheme. */
const SIGNATURE_HEADER = 'X-Webhook-Signature';
type Replies = Record<`${2 | 4 | 5}${string}`, ZodOpenApiResponseObject>;
type Parameters = NonNullable<ZodOpenApiOperationObject['parameters']>;
const syncCodes = SyncError.shape.error.options;
const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const requestIdParameter = { $ref: '#/components/parameters/X-Request-Id' };
const requestId = { 'X-Request-Id': header('X-Request-Id') };

/** Of a route that will go. */
const goingHeaders = {
  Deprecation: {
    description: 'Unix time from which the route is deprecated, with an @ before it (RFC 9745).',
    schema: { type: 'string' as const },
  },
  Sunset: {
    description: 'HTTP date from which the route may be gone (RFC 8594).',
    schema: { type: 'string' as const },
  },
};

const verbs = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;

/** The `paths` of the document: each route once, and the site's pages for programs. */
export function paths(): ZodOpenApiPathsObject {
  const all: ZodOpenApiPathsObject = {};
  const add = (path: string, method: Route['method'], operation: ZodOpenApiOperationObject) => {
    all[path] = { ...all[path], [verbs[method]]: operation };
  };
  for (const name of documentedRoutes) {
    const route: Route = routes[name];
    add(route.path, route.method, operationOf(name, route));
  }
  for (const [path, page] of Object.entries(sitePages)) add(path, 'GET', sitePage(page));
  return all;
}

function operationOf(name: DocumentedRoute, route: Route): ZodOpenApiOperationObject {
  const { tag, description } = routeTexts[name];
  return {
    operationId: name,
    summary: route.summary,
    description: route.scope ? `${description}\n\nScope: \`${route.scope}\`.` : description,
    tags: [tag],
    ...(route.deprecated && { deprecated: true }),
    security: securityOf(route),
    parameters: parametersOf(name, route),
    ...(route.body && {
      requestBody: {
        required: route.body_required === true,
        content: { 'application/json': { schema: route.body, example: bodyExamples[name] } },
      },
    }),
    responses: { ...successes(name, route), ...failures(name, route.errors) },
  };
}

function sitePage(page: ZodOpenApiOperationObject): ZodOpenApiOperationObject {
  return {
    ...page,
    tags: ['Site'],
    security: [],
    parameters: [requestIdParameter],
    responses: { ...page.responses, ...failures('Console', []) },
  };
}

function securityOf({ auth, scope }: Route): Record<string, string[]>[] {
  if (auth === 'key') return [{ ApiKey: scope ? [scope] : [] }];
  if (auth === 'event_token') return [{ EventToken: [] }, { ApiKey: scope ? [scope] : [] }];
  if (auth === 'link') return [{ ApiKey: scope ? [scope] : [] }, { ArtifactLink: [] }];
  if (auth === 'job_token') return [{ JobToken: [] }, { ApiKey: scope ? [scope] : [] }];
  return auth === 'signature' ? [{ SyncSignature: [] }] : [];
}

function parametersOf(name: RouteName, route: Route): Parameters {
  const parametersIn = (location: 'query' | 'header', of: z.ZodObject | undefined) =>
    Object.entries(of?.shape ?? {})
      .filter(([key]) => key !== SIGNATURE_HEADER)
      .map(([key, schema]) => parameter(name, location, key, schema));
  return [
    ...pathParameters(name, route.path),
    ...parametersIn('query', route.query),
    ...parametersIn('header', route.headers),
    requestIdParameter,
  ];
}

function pathParameters(name: RouteName, path: string): Parameters {
  const keys = [...path.matchAll(/\{([^}]+)\}/g)].map(([, key = '']) => key);
  return keys.map((key) => parameter(name, 'path', key, isUuid(path, key) ? Uuid : z.string()));
}

/** Ids are UUIDs, except those of events and keys. */
const isUuid = (path: string, key: string) => /^(bridge_)?id$/.test(key) && !path.includes('/keys/');

/** A parameter is documented as the parsed value, so a number in a query has the type `integer`. */
function parameter(
  route: RouteName,
  location: 'path' | 'query' | 'header',
  name: string,
  schema: z.core.$ZodType,
): Parameters[number] {
  const { description, default: value, example } = parameterText(route, name);
  const { schema: json } = createSchema(schema, {
    io: 'output',
    opts: { override: ({ jsonSchema }) => tidy(jsonSchema) },
  });
  return {
    name,
    in: location,
    description,
    required: !z.safeParse(schema, undefined).success,
    schema: { ...(typeof json === 'object' && json), ...(value !== undefined && { default: value }) },
    // A list is one comma-separated value.
    ...(typeof json === 'object' && 'items' in json && { style: 'form' as const, explode: false }),
    ...(example && { example }),
  };
}

function successes(name: DocumentedRoute, route: Route): Replies {
  const replays = route.headers !== undefined && 'Idempotency-Key' in route.headers.shape;
  const all: Replies = {};
  for (const [key, schema] of Object.entries(route.replies)) {
    const status = key as keyof Replies;
    const replayed = replays && status === '200';
    all[status] = {
      description: routeTexts[name].replies[Number(status)] ?? route.summary,
      headers: {
        ...requestId,
        ...(route.deprecated && goingHeaders),
        ...(replayed && { 'Idempotency-Replayed': header('Idempotency-Replayed') }),
      },
      ...(status !== '204' && { content: contentOf(route, schema, exampleOf(name, status)) }),
      ...(route.query && 'cursor' in route.query.shape && { links: nextPage(name) }),
      ...(name in created && (status === '202' || status === '201') && { links: linksFrom(name) }),
    };
  }
  return all;
}

/** The operations on what an operation creates, by the id in its reply. */
const created: Partial<Record<DocumentedRoute, DocumentedRoute[]>> = {
  CreateRun: ofRun(),
  RerunRun: ofRun(),
  CreateMonitor: ['GetMonitor', 'UpdateMonitor', 'FireMonitor', 'ListFires', 'DeleteMonitor'],
};

function ofRun(): DocumentedRoute[] {
  const reading: DocumentedRoute[] = [
    'GetRun',
    'GetTrace',
    'ListEvents',
    'CreateEventToken',
    'ListDeliveries',
  ];
  return [...reading, 'CancelRun', 'ResumeRun', 'RerunRun', 'DeleteRun'];
}

/** How a program goes on with what it has created. */
function linksFrom(name: DocumentedRoute): ZodOpenApiResponseObject['links'] {
  return Object.fromEntries(
    (created[name] ?? []).map((operationId) => [
      operationId,
      { operationId, parameters: { id: '$response.body#/id' }, description: routes[operationId].summary },
    ]),
  );
}

/** How a program gets the next page. */
function nextPage(operationId: DocumentedRoute): ZodOpenApiResponseObject['links'] {
  return {
    next: {
      operationId,
      parameters: { cursor: '$response.body#/next_cursor' },
      description: 'The next page. The other parameters must be those of this one.',
    },
  };
}

function contentOf(
  route: Route,
  schema: z.ZodType | null,
  example: { example?: object },
): ZodOpenApiResponseObject['content'] {
  if (schema) {
    const texts = (route.text_types ?? []).map((type) => [
      type,
      { schema: { type: 'string' as const }, example: textExamples[type] },
    ]);
    return { 'application/json': { schema, ...example }, ...Object.fromEntries(texts) };
  }
  const isStream = route.media_type === 'text/event-stream';
  return {
    [route.media_type ?? 'text/plain']: { schema: isStream ? Event : { type: 'string' }, ...example },
  };
}

/** The errors of a route: one reply per status, which lists its codes under `x-error-codes`. */
function failures(name: RouteName, own: readonly ErrorCode[]): Replies {
  const codes = [...new Set([...own, ...gatewayErrors])];
  const statuses = new Set(codes.map((code) => errors[code].status));
  if (name === 'ReceiveSync') for (const status of Object.values(syncErrors)) statuses.add(status);
  const all: Replies = {};
  for (const status of [...statuses].toSorted()) {
    const enveloped = codes.filter((code) => errors[code].status === status);
    const short = name === 'ReceiveSync' ? syncCodes.filter((code) => syncErrors[code] === status) : [];
    all[String(status) as keyof Replies] = failure(status, enveloped, short);
  }
  return all;
}

function failure(status: number, enveloped: ErrorCode[], short: SyncErrorCode[]): ZodOpenApiResponseObject {
  const codes = [...new Set<string>([...short, ...enveloped])];
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: {
      ...requestId,
      ...(retryAfterStatuses.has(status) && { 'Retry-After': header('Retry-After') }),
    },
    content: {
      'application/json': {
        schema: failureSchema(enveloped.length > 0, short.length > 0),
        ...errorExample(enveloped),
      },
    },
    'x-error-codes': codes,
  };
}

const SyncFailure = z.union([SyncError, ErrorReply]).meta({ id: 'SyncFailure' });

function failureSchema(enveloped: boolean, short: boolean): z.ZodType {
  if (!short) return ErrorReply;
  return enveloped ? SyncFailure : SyncError;
}

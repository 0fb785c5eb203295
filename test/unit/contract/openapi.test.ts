// The OpenAPI document: complete, well formed, and the same as the committed file.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detailsName } from '../../../functions/contract/document/error-schemas.ts';
import { bodyExamples } from '../../../functions/contract/document/examples.ts';
import { documentedRoutes } from '../../../functions/contract/document/texts.ts';
import { errorCodes, errors } from '../../../functions/contract/errors.ts';
import { eventTypes } from '../../../functions/contract/events.ts';
import { API_VERSION } from '../../../functions/contract/limits.ts';
import { openApiDocument } from '../../../functions/contract/openapi-document.ts';
import { type Route, routeNames, routes } from '../../../functions/contract/routes.ts';
import { stepKinds, stepTable } from '../../../functions/contract/steps.ts';
import { signedHeaders } from '../../../functions/domain/sources/http-pages.ts';
import { checkReply } from '../../support/schema-check.ts';

const committed = readFileSync(new URL('../../../functions/contract/openapi.json', import.meta.url), 'utf8');
const document = openApiDocument();
const schemas = document.components?.schemas ?? {};
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  (['get', 'post', 'patch', 'delete'] as const).flatMap((verb) => {
    const operation = item[verb];
    return operation ? [{ path, method: verb.toUpperCase(), operation }] : [];
  }),
);

function* objectsIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

function atPointer(pointer: string): unknown {
  const parts = pointer.slice(2).split('/');
  return parts.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value
        ? Object.entries(value).find(([key]) => key === part)?.[1]
        : undefined,
    document,
  );
}

test('the committed file is what the contract gives (npm run openapi writes it)', () => {
  expect(committed).toBe(`${JSON.stringify(document, null, 2)}\n`);
});

test('the document names OpenAPI 3.1 and the version of the contract', () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  // A version that npm takes has no leading zeros; PEP 440 takes any numbers with dots.
  expect(document.info.version).toMatch(/^\d{4}\.[1-9]\d?\.[1-9]\d?$/);
  expect(document.info.version).toBe(API_VERSION.replaceAll('-0', '-').replaceAll('-', '.'));
});

test.each(documentedRoutes)('%s is in the document at its method and path', (name) => {
  const { path, method } = routes[name];
  expect(operations.find(({ operation }) => operation.operationId === name)).toMatchObject({ path, method });
});

test('the routes of the API, the document and health are documented, and no page for people', () => {
  const expected = [
    ...documentedRoutes.map((name) => `${routes[name].method} ${routes[name].path}`),
    'GET /api/openapi.json',
    'GET /api/',
    'GET /api/health',
  ];
  expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(expected.toSorted());
});

test('operation ids are unique', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every reference resolves', () => {
  const refs = [...objectsIn(document)].flatMap((value) =>
    // A property may have that name.
    '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : [],
  );
  expect(refs.length).toBeGreaterThan(100);
  expect(refs.filter((ref) => atPointer(ref) === undefined)).toEqual([]);
});

test('each placeholder of a path is a required path parameter', () => {
  for (const { path, operation } of operations) {
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = (operation.parameters ?? []).filter((one) => 'in' in one && one.in === 'path');
    expect(declared).toEqual(placeholders.map((name) => expect.objectContaining({ name, required: true })));
  }
});

test('every operation takes X-Request-Id and gives it back on every reply', () => {
  for (const { operation } of operations) {
    expect(operation.parameters).toContainEqual({ $ref: '#/components/parameters/X-Request-Id' });
    for (const reply of Object.values(operation.responses ?? {}))
      expect(reply.headers).toHaveProperty('X-Request-Id');
  }
});

test.each(documentedRoutes)('%s lists each of its errors under its status', (name) => {
  const { operation } = operations.find((one) => one.operation.operationId === name) ?? {};
  for (const code of routes[name].errors)
    expect(operation?.responses?.[String(errors[code].status)]?.['x-error-codes']).toContain(code);
});

test('every error code is in the table, with the schema of its details', () => {
  const table = Object.entries(schemas.Error ?? {}).find(([key]) => key === 'x-error-codes')?.[1];
  expect(Object.keys(table)).toEqual(errorCodes);
  for (const code of errorCodes.filter((one) => errors[one].details)) {
    expect(table[code].details.$ref).toBe(`#/components/schemas/${detailsName(code)}`);
  }
});

test('every event type has its own schema and is a member of Event', () => {
  const { discriminator } = {
    discriminator: undefined,
    ...(typeof schemas.Event === 'object' && schemas.Event),
  };
  expect(Object.keys(discriminator?.mapping ?? {})).toEqual(eventTypes);
});

test.each(stepKinds)('the params of %s are documented one by one', (kind) => {
  const name = kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  expect(schemas[`${name}Params`]).toHaveProperty('properties');
  expect(schemas[`${name}Params`]).toMatchObject({
    description: expect.any(String),
    properties: Object.fromEntries(
      Object.keys(stepTable[kind].params.shape).map((param) => [param, expect.anything()]),
    ),
  });
});

test('the default of a param is in the document', () => {
  expect(schemas.FetchParams).toMatchObject({ properties: { limit: { default: 100, maximum: 10000 } } });
  expect(schemas.ReconstituteParams).toMatchObject({
    properties: { expected_artifacts: { default: ['text'] } },
  });
});

test('the webhooks are documented with their headers', () => {
  expect(Object.keys(document.webhooks ?? {})).toEqual([
    ...['run.succeeded', 'run.failed'],
    ...['job.requested', 'job.canceled'],
  ]);
  expect(headersOf('run.failed')).toEqual(
    expect.arrayContaining(['X-Service-Signature', 'X-Service-Event-Id', 'X-Service-Api-Version']),
  );
});

test.each(['job.requested', 'job.canceled'])('%s is documented with the headers that are sent', (message) => {
  const { 'Content-Type': _, ...sent } = signedHeaders({ secret: '00', headers: {} }, '{}');
  expect(headersOf(message).toSorted()).toEqual(Object.keys(sent).toSorted());
});

function headersOf(message: string): string[] {
  const { parameters = [] } = document.webhooks?.[message]?.post ?? {};
  return parameters.flatMap((one) => ('name' in one ? [one.name] : []));
}

test.each(operations.filter(({ operation }) => operation.operationId !== 'GetOpenApi'))(
  '$operation.operationId has an example of each success, and it is a reply that the document allows',
  ({ path, method, operation }) => {
    for (const [status, reply] of Object.entries(operation.responses ?? {})) {
      const content: Record<string, { example?: { error?: { request_id: string } } }> = reply.content ?? {};
      for (const [mediaType, { example }] of Object.entries(content)) {
        if (status < '400') expect(example).toBeDefined();
        const body = mediaType === 'text/event-stream' ? `data: ${JSON.stringify(example)}` : example;
        const headers = {
          'Content-Type': mediaType,
          'Retry-After': '1',
          'X-Request-Id': example?.error?.request_id ?? 'r-1',
        };
        if (example) checkReply({ method, path, status: Number(status), headers, body });
      }
    }
  },
);

test('example bodies are accepted by the contract', () => {
  for (const name of routeNames) {
    const { body }: Route = routes[name];
    if (body) expect(body.safeParse(bodyExamples[name])).toMatchObject({ success: true });
  }
});

test('parameters are documented as the values they are read as', () => {
  const { operation } = operations.find((one) => one.operation.operationId === 'ListEvents') ?? {};
  expect(operation?.parameters).toContainEqual(
    expect.objectContaining({
      name: 'limit',
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    }),
  );
});

/** Every schema below a component, with its path. */
function* partsOf(value: unknown, path: string): Generator<{ part: object; path: string }> {
  for (const [key, inner] of Object.entries(value ?? {})) {
    if (typeof inner !== 'object' || inner === null || key === 'mapping' || key.startsWith('x-')) continue;
    yield { part: inner, path: `${path}.${key}` };
    yield* partsOf(inner, `${path}.${key}`);
  }
}

test('every union, enum and object with fields has a name, so that generators need not make one up', () => {
  const unnamed = Object.entries(schemas)
    .flatMap(([name, schema]) => [...partsOf(schema, name)])
    // The members of an object are no schema, whatever their names.
    .filter(({ part, path }) => !Array.isArray(part) && !path.endsWith('.properties'))
    .filter(({ part }) => ['oneOf', 'anyOf', 'enum'].some((key) => key in part) || isObjectWithFields(part))
    .map(({ path }) => path);
  // The discriminator must be in each member of a union.
  expect(unnamed).toEqual(['PlainError.properties.code']);
});

const isObjectWithFields = (part: object) =>
  'type' in part && part.type === 'object' && 'properties' in part && typeof part.properties === 'object';

/** The components that a part of the document refers to, itself or through others. */
function reachedFrom(value: unknown, reached = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    if (reached.has(name)) continue;
    reached.add(name);
    reachedFrom(schemas[name], reached);
  }
  return reached;
}

const isClosed = (name: string) => JSON.stringify(schemas[name]).includes('"additionalProperties":false');

test('replies and webhooks may grow: no schema of theirs is closed', () => {
  const received = [operations.map(({ operation }) => operation.responses), document.webhooks];
  expect([...reachedFrom(received)].filter(isClosed)).toEqual([]);
});

test('requests are closed: every object in one is, but for the messages of inbound sync and the items of a source', () => {
  const sent = operations
    .filter(({ operation }) => operation.operationId !== 'ReceiveSync')
    .map(({ operation }) => operation.requestBody);
  const objects = [...reachedFrom(sent)].filter((name) => isObjectWithFields(Object(schemas[name])));
  expect(objects.length).toBeGreaterThan(25);
  // A job brings items as every source does, whose further members are ignored (rules.md: sources 3).
  expect(objects.filter((name) => !isClosed(name))).toEqual(['SourceItem']);
});

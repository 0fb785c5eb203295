// The router of a function: which requests reach which route, and what becomes of the others.
import { Logger } from '@aws-lambda-powertools/logger';
import { afterEach, expect, test, vi } from 'vitest';
import type { Reply } from '#edge/replies.ts';
import { openApiDocument } from '../../../functions/contract/openapi-document.ts';
import { routes } from '../../../functions/contract/routes.ts';
import { lambdaContext, restEvent } from '../../support/gateway-events.ts';

Object.assign(process.env, { SITE_URL: 'http://127.0.0.1', POWERTOOLS_LOG_LEVEL: 'SILENT' });
const { edge } = await import('#edge/edge.ts');
const { buffered } = await import('#edge/buffered.ts');
const { renderError } = await import('#edge/render-error.ts');
const { reply } = await import('#edge/replies.ts');
const { router } = await import('#edge/router.ts');

const named = (name: string) => edge(renderError).handler(() => reply(200, { name }));
const broken = edge(renderError).handler((): Reply => {
  throw new Error('broken');
});
const keys = buffered(
  router<'Keys'>({
    CreateKey: named('CreateKey'),
    RotateKey: broken,
  }),
);
const ask = async (httpMethod: string, resource: string, body: string | null = null) => {
  const answer = await keys(restEvent(resource, { httpMethod, body }), lambdaContext());
  return { ...answer, json: answer.body === '' ? undefined : JSON.parse(answer.body) };
};

test('a request reaches the route of its method and path', async () => {
  expect((await ask('POST', '/v1/keys')).json).toEqual({ name: 'CreateKey' });
});

test.each([
  ['another method', 'PUT', '/v1/keys'],
  ['an unknown path', 'POST', '/v1/nothing'],
  ['a route of another function', 'POST', '/v1/runs'],
  ['OPTIONS of an unknown path', 'OPTIONS', '/v1/nothing'],
  ['OPTIONS of inbound sync', 'OPTIONS', '/webhooks/sync/{bridge_id}'],
])('%s is not_found in the envelope (rules.md: request 3)', async (_, method, resource) => {
  const { statusCode, headers, json } = await ask(method, resource);
  expect([statusCode, json.error.code]).toEqual([404, 'not_found']);
  expect(headers?.['X-Request-Id']).toBe(json.error.request_id);
});

test('OPTIONS tells every method of a path, also those of other functions (rules.md: cors 2)', async () => {
  const { statusCode, headers } = await ask('OPTIONS', '/v1/keys');
  expect(statusCode).toBe(204);
  expect(headers?.['Access-Control-Allow-Methods']).toBe('GET, HEAD, POST, OPTIONS');
});

test('what a route logs has its name: many share a log', async () => {
  const lines = vi.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  await ask('POST', '/v1/keys/{id}/rotate');
  expect(lines).toHaveBeenCalledWith('request failed', expect.objectContaining({ route: 'RotateKey' }));
});

afterEach(() => void Reflect.deleteProperty(routes.CreateKey, 'deprecated'));

test('a deprecated route says so with each reply, and in the document (rules.md: versions 1)', async () => {
  const operation = () => JSON.stringify(openApiDocument().paths?.['/api/v1/keys']?.post);
  expect((await ask('POST', '/v1/keys')).headers).not.toHaveProperty('Deprecation');
  expect(operation()).not.toContain('"deprecated":true');
  Reflect.set(routes.CreateKey, 'deprecated', { since: '2027-01-01', sunset: '2028-01-01' });
  const said = { Deprecation: '@1798761600', Sunset: 'Sat, 01 Jan 2028 00:00:00 GMT' };
  expect((await ask('POST', '/v1/keys')).headers).toMatchObject(said);
  expect((await ask('OPTIONS', '/v1/keys')).headers).not.toHaveProperty('Deprecation');
  expect(operation()).toContain('"deprecated":true');
  for (const name of ['Deprecation', 'Sunset']) expect(operation()).toContain(name);
});

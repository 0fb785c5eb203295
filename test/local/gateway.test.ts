// The gateway: routes, events, gateway responses, streams and function URLs of a template.
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Started, startFixture } from './fixture/start.ts';

let started: Started;
beforeAll(async () => {
  started = await startFixture(undefined, { metrics: { models: [] } });
});
afterAll(() => started.end());

const site = (path: string) => `${started.runtime.site_url}${path}`;
const api = (path: string) => site(`/api/v1${path}`);

/** Sends a request with exactly these bytes of path and headers. */
async function raw(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const { hostname, port } = new URL(started.runtime.site_url);
  httpRequest({ hostname, port, path, headers }, (response) => {
    let body = '';
    response.setEncoding('utf8').on('data', (part) => {
      body += part;
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
  })
    .on('error', reject)
    .end();
  return promise;
}

test('a buffered route hands over an event in format 1.0', async () => {
  const reply = await fetch(api('/things?a=1&a=2&b=x%20y'), { method: 'POST', body: 'hé' });
  const event = await reply.json();
  expect(event).toMatchObject({
    resource: '/v1/things',
    path: '/v1/things',
    httpMethod: 'POST',
    queryStringParameters: { a: '2', b: 'x y' },
    multiValueQueryStringParameters: { a: ['1', '2'], b: ['x y'] },
    pathParameters: null,
    requestContext: { path: '/api/v1/things', stage: 'api', resourcePath: '/v1/things' },
    isBase64Encoded: true,
    body: Buffer.from('hé').toString('base64'),
  });
});

test('a request without a body has a null body', async () => {
  expect(await (await fetch(api('/things/1'))).json()).toMatchObject({ body: null, isBase64Encoded: false });
});

test('status, headers and repeated headers of the function reach the client', async () => {
  const reply = await fetch(api('/things/1'));
  expect(reply.status).toBe(201);
  expect(reply.headers.get('x-one')).toBe('1');
  expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
});

test('path parameters are decoded and a literal segment wins over a parameter', async () => {
  expect(await (await fetch(api('/things/a%2Fb'))).json()).toMatchObject({ pathParameters: { id: 'a/b' } });
  expect(await (await fetch(api('/things/special'))).json()).toMatchObject({
    resource: '/v1/things/special',
  });
});

test('header names come as sent, also hostile ones', async () => {
  const { body } = await raw('/api/v1/things/1', { 'X-Mixed-Case': 'yes', ['__proto__']: 'no' });
  expect(JSON.parse(body).headers['X-Mixed-Case']).toBe('yes');
});

test.each([
  ['an unknown path', '/api/v1/nothing', 'GET'],
  ['an unknown method', '/api/v1/things', 'DELETE'],
  ['a slash at the end', '/api/v1/things/1/', 'GET'],
  ['an empty parameter', '/api/v1/things/', 'GET'],
  ['a path outside the stage', '/elsewhere', 'GET'],
])('%s is answered by the template', async (_, path, method) => {
  const reply = await fetch(site(path), { method });
  expect(reply.status).toBe(404);
  const request_id = reply.headers.get('x-request-id');
  expect(await reply.json()).toEqual({
    error: { code: 'not_found', type: 'MISSING_AUTHENTICATION_TOKEN', request_id },
  });
});

test('a page of the site is served with and without the stage', async () => {
  expect(await (await fetch(site('/health'))).json()).toMatchObject({ path: '/health' });
  expect(await (await fetch(site('/api/health'))).json()).toMatchObject({ path: '/health' });
});

test('the site address that the template composes is that of the local gateway', async () => {
  const env = await started.work('env');
  expect(env.SITE_URL).toBe(started.runtime.site_url);
});

test('a body over 10 MB is refused with 413', async () => {
  const reply = await fetch(api('/things'), { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
  expect(reply.status).toBe(413);
  expect(await reply.json()).toMatchObject({ error: { code: 'payload_too_large' } });
});

test('a body whose event would pass 6 MB is refused with 413', async () => {
  expect((await fetch(api('/things'), { method: 'POST', body: Buffer.alloc(5 * 1024 * 1024) })).status).toBe(
    413,
  );
});

test('a request line with headers over 10,240 bytes is refused with 413', async () => {
  expect((await raw('/api/v1/things/1', { 'x-long': 'x'.repeat(10_240) })).status).toBe(413);
  expect((await raw('/api/v1/things/1', { 'x-long': 'x'.repeat(9_000) })).status).toBe(201);
});

test.each(['throw', 'malformed'])('a function that ends with %s is answered as DEFAULT_5XX', async (mode) => {
  const reply = await fetch(api(`/things/1?mode=${mode}`));
  expect(reply.status).toBe(500);
  expect(await reply.json()).toMatchObject({ error: { code: 'internal_error', type: 'DEFAULT_5XX' } });
});

test.each(['things/full', 'streams/full'])(
  'no free concurrency for %s is INTEGRATION_FAILURE',
  async (path) => {
    const reply = await fetch(api(`/${path}`));
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(await reply.json()).toMatchObject({
      error: { code: 'service_unavailable', type: 'INTEGRATION_FAILURE' },
    });
  },
);

test('a function slower than its integration is answered with 504', async () => {
  const reply = await fetch(api('/things/slow?mode=slow'));
  expect(reply.status).toBe(504);
  expect(reply.headers.get('retry-after')).toBe('1');
});

test('a streamed route sends head and chunks', async () => {
  const reply = await fetch(api('/streams'));
  expect(reply.status).toBe(202);
  expect(reply.headers.get('content-type')).toBe('text/event-stream');
  expect(await reply.text()).toBe('first\nlast\n');
});

test('a challenge passes a function URL unchanged, but the REST API under another name', async () => {
  for (const path of ['/api/v1/things/1', '/api/v1/streams']) {
    const { headers } = await fetch(site(path));
    expect(headers.get('www-authenticate')).toBeNull();
    expect(headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
  }
  const { headers } = await fetch(site('/function-url/Stream/'));
  expect(headers.get('www-authenticate')).toBe('Bearer');
});

test('work left by a streamed function keeps its environment busy, unless it opts out', async () => {
  const statusOf = async (mode: string) => {
    const reply = await fetch(api(`/streams/single?mode=${mode}`));
    await reply.text();
    return reply.status;
  };
  expect(await statusOf('lingers')).toBe(202);
  expect(await statusOf('lingers')).toBe(503);
  await expect.poll(() => statusOf('lets-go')).toBe(202);
  await expect.poll(() => statusOf('lets-go')).toBe(202);
});

test('a stream that fails before its head is answered as DEFAULT_5XX', async () => {
  expect((await fetch(api('/streams?mode=fail-early'))).status).toBe(500);
});

test('a stream that fails after its head is cut', async () => {
  const reply = await fetch(api('/streams?mode=fail-late'));
  expect(reply.status).toBe(202);
  await expect(reply.text()).rejects.toThrow();
});

test('a large stream arrives whole', async () => {
  const url = site('/function-url/Stream/?mode=flood');
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(64 * 256 * 1024 + 'first\nlast\n'.length);
});

test('a function URL hands over format 2.0, with the path after its own prefix', async () => {
  const { STREAM_URL } = await started.work('env');
  const reply = await fetch(`${STREAM_URL}api/v1/runs/1`);
  expect(reply.headers.get('x-path')).toBe('/api/v1/runs/1');
});

test('a function does not learn that the client of its stream has left: the invocation runs on', async () => {
  const { readFile } = await import('node:fs/promises');
  const leaving = new AbortController();
  const reply = await fetch(site('/function-url/Stream/?mode=endless'), { signal: leaving.signal });
  await reply.body?.getReader().read();
  leaving.abort();
  const log = `${started.dataDir}/logs/Stream.log`;
  await expect.poll(() => readFile(log, 'utf8').catch(() => '')).toContain('100 ticks sent');
  const page = await (await fetch(site('/metrics'))).text();
  expect(page).toContain('run_service_open_invocations{function="Stream"} 1');
});

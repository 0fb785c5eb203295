// The site's pages, through their handler.
import type { APIGatewayProxyResult } from 'aws-lambda';
import { beforeAll, expect, test } from 'vitest';
import { handler } from '../../../functions/console/console.ts';
import { documentedRoutes } from '../../../functions/contract/document/texts.ts';
import { errorCodes, errors } from '../../../functions/contract/errors.ts';
import { API_VERSION } from '../../../functions/contract/limits.ts';
import { lambdaContext, restEvent } from '../../support/gateway-events.ts';
import { checkReply } from '../../support/schema-check.ts';

const SITE_URL = 'http://127.0.0.1:8787';

beforeAll(() => {
  process.env.SITE_URL = SITE_URL;
});

/** Asks for a path as the gateway would. */
async function get(path: string, headers: Record<string, string> = {}): Promise<APIGatewayProxyResult> {
  const page = /^\/docs\/(.+)$/.exec(path)?.[1];
  const event = page
    ? restEvent('/docs/{page}', { pathParameters: { page }, headers })
    : restEvent(path, { headers });
  return handler(event, lambdaContext());
}

const headerOf = (reply: APIGatewayProxyResult, name: string) => String(reply.headers?.[name]);

/** The same, held to the document. */
async function checked(path: string): Promise<APIGatewayProxyResult> {
  const reply = await get(path);
  const isJson = headerOf(reply, 'Content-Type') === 'application/json';
  checkReply({
    method: 'GET',
    path,
    status: reply.statusCode,
    headers: Object.fromEntries(
      Object.entries(reply.headers ?? {}).map(([name, value]) => [name, String(value)]),
    ),
    body: isJson ? JSON.parse(reply.body) : reply.body,
  });
  return reply;
}

test.each(['/docs', '/docs/errors', '/docs/nothing', '/openapi.json', '/health'])(
  '%s answers as its own document says',
  async (path) => {
    await checked(path);
  },
);

test('health gives the contract version', async () => {
  expect(JSON.parse((await get('/health')).body)).toEqual({ status: 'ok', api_version: API_VERSION });
});

test('every error code has its anchor, status, category and remedy', async () => {
  const { body } = await get('/docs/errors');
  for (const code of errorCodes) {
    const section = body.split(`id="${code}"`)[1]?.split('</section>')[0] ?? '';
    expect(section).toContain(`>${errors[code].status}<`);
    expect(section).toContain(`>${errors[code].type}<`);
    expect(section).toContain(errors[code].remedy.split(/[<>&'"`]/)[0]);
  }
});

test('the reference has every operation, with a link to each of its errors', async () => {
  const { body } = await get('/docs');
  for (const name of documentedRoutes) expect(body).toContain(`<section id="${name}"`);
  expect(body).toContain('href="docs/errors#run_not_found"');
});

test('the reference has the guides of integrators, with their code', async () => {
  const { body } = await get('/docs');
  const section = (tag: string) => body.split(`<section id="${tag}">`)[1]?.split('<section')[0] ?? '';
  expect(section('Webhooks')).toContain('<h3>Receiving webhooks</h3>');
  for (const line of ['export function verify(', 'def verify(', 'func Verify('])
    expect(section('Webhooks')).toContain(line);
  expect(section('Sync')).toContain('<h3>Pushing records in</h3>');
  expect(section('Sync')).toMatch(/<pre><code>BODY=/);
  for (const title of ['Deploying', 'Capacity', 'Rolling back'])
    expect(section('Site')).toContain(`<h3>${title}</h3>`);
});

test('every link inside a page leads to an anchor that exists', async () => {
  const pages = { '/docs': (await get('/docs')).body, '/docs/errors': (await get('/docs/errors')).body };
  for (const [path, body] of Object.entries(pages)) {
    const anchors = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(anchors.filter((id) => id !== undefined && !body.includes(`id="${id}"`))).toEqual([]);
    const outward = [...body.matchAll(/href="([^#"]+)(?:#([^"]*))?"/g)].filter(([, to]) => to !== 'data:,');
    for (const [, to = '', id] of outward) {
      const target = new URL(to, `${SITE_URL}${path}`).pathname;
      expect((await get(target)).statusCode).toBe(200);
      if (id && target === '/docs/errors') expect(pages['/docs/errors']).toContain(`id="${id}"`);
    }
  }
}, 30_000);

test('ids are unique in a page', async () => {
  for (const path of ['/docs', '/docs/errors']) {
    const ids = [...(await get(path)).body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBe(new Set(ids).size);
  }
});

test('no page loads or links anything from another host, and none has a script', async () => {
  for (const path of ['/docs', '/docs/errors', '/docs/style.css']) {
    const { body } = await get(path);
    // Examples name addresses of the reserved host; nothing may lead there either.
    const urls = [...body.matchAll(/https?:\/\/[^\s"'<)]+/g)].map(([url]) => url);
    const foreign = urls.filter((url) => !url.startsWith(SITE_URL));
    expect(foreign.filter((url) => !url.startsWith('https://example.com/'))).toEqual([]);
    expect(body).not.toMatch(/(href|src|action)="?https?:/);
    expect(body).not.toMatch(/<script|@import|url\(| style="/);
  }
});

test('the policy allows own styles and nothing else', async () => {
  const policy = headerOf(await get('/docs'), 'Content-Security-Policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
});

test('pages may be cached, health and errors may not', async () => {
  expect(headerOf(await get('/docs'), 'Cache-Control')).toMatch(/^public, max-age=/);
  expect(headerOf(await get('/health'), 'Cache-Control')).toBe('no-store');
  expect(headerOf(await get('/docs/nothing'), 'Cache-Control')).toBe('no-store');
});

test('the served document has the real address as its server', async () => {
  expect(JSON.parse((await get('/openapi.json')).body).servers).toEqual([
    { url: SITE_URL, description: 'This service' },
  ]);
});

test('a request id of the allowed form is kept, another is replaced', async () => {
  expect(headerOf(await get('/health', { 'x-request-id': 'a.b:c-1' }), 'X-Request-Id')).toBe('a.b:c-1');
  expect(headerOf(await get('/health', { 'X-Request-Id': 'a b' }), 'X-Request-Id')).toMatch(
    /^[0-9a-f-]{36}$/,
  );
});

test.each(['nothing', '__proto__', 'constructor', '<b>', '../openapi.json'])(
  'the page %s is 404 in the error envelope',
  async (page) => {
    const reply = await get(`/docs/${page}`);
    expect(reply.statusCode).toBe(404);
    expect(JSON.parse(reply.body).error).toMatchObject({
      code: 'not_found',
      request_id: headerOf(reply, 'X-Request-Id'),
      doc_url: `${SITE_URL}/docs/errors#not_found`,
    });
  },
);

// The site's pages, through their handler.
import { readFileSync } from 'node:fs';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { documentedRoutes } from '../../../functions/contract/document/texts.ts';
import { reasonTexts } from '../../../functions/contract/error-reasons.ts';
import { errorCodes, errors } from '../../../functions/contract/errors.ts';
import { API_VERSION } from '../../../functions/contract/limits.ts';
import openapi from '../../../functions/contract/openapi.json' with { type: 'json' };
import { CreateRun } from '../../../functions/contract/runs.ts';
import { groups } from '../../../functions/docs/reference.ts';
import { ruleTopics } from '../../../functions/docs/rules-page.ts';
import { handler } from '../../../functions/docs/site.ts';
import { lambdaContext, restEvent } from '../../support/gateway-events.ts';
import { checkReply } from '../../support/schema-check.ts';

const SITE_URL = 'http://127.0.0.1:8787';
/** Every page for people. */
const pages = [
  ...['/docs', ...groups.map(({ slug }) => `/docs/${slug}`)],
  ...['/docs/errors', '/docs/rules', '/docs/operator-rules'],
];

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

/** The same, checked against the document. */
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

test.each([
  ...pages,
  ...pages.map((page) => `${page}.md`),
  '/llms.txt',
  '/docs/nothing',
  '/openapi.json',
  '/health',
])('%s answers as in its own document', async (path) => {
  await checked(path);
});

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

test('every reason of an error is explained at its anchor', async () => {
  const { body } = await get('/docs/errors');
  const anchors = errorCodes.flatMap((code) =>
    reasonsIn(errors[code].details).map((reason) => [code, reason] as const),
  );
  expect(anchors).toContainEqual(['run_not_resumable', 'no_saved_plan']);
  expect(anchors).toContainEqual(['workspace_cost_cap_exceeded', 'credits']);
  for (const [code, reason] of anchors) {
    expect(body).toContain(`id="${code}.${reason}"`);
    expect(reasonTexts.get(code)?.[reason]).toMatch(/^[A-Z].{20,}\.$/);
  }
});

/** What a schema of details allows as `reason`. */
function reasonsIn(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => reasonsIn(option as z.ZodType));
  const reason: unknown = schema instanceof z.ZodObject ? schema.shape.reason : undefined;
  if (reason instanceof z.ZodEnum) return reason.options.map(String);
  return reason instanceof z.ZodLiteral ? [...reason.values].map(String) : [];
}

test('every operation is on the page of its group, with a link to each of its errors', async () => {
  const texts = await Promise.all(pages.map(async (path) => (await get(path)).body));
  for (const name of documentedRoutes)
    expect(texts.filter((text) => text.includes(`<section id="${name}"`))).toHaveLength(1);
  expect((await get('/docs/runs')).body).toContain('href="errors#run_not_found"');
});

test('the first page leads to every operation, schema and error, at the anchors that they had in one page', async () => {
  const { body } = await get('/docs');
  for (const name of documentedRoutes) expect(body).toContain(`<li id="${name}"`);
  for (const { slug, schemas } of groups)
    for (const { name } of schemas) expect(body).toContain(`href="docs/${slug}#schema-${name}"`);
  for (const code of errorCodes) expect(body).toContain(`href="docs/errors#${code}"`);
});

test('every schema of requests and replies is described once', () => {
  const described = groups.flatMap(({ schemas }) => schemas.map(({ name }) => name));
  expect(new Set(described).size).toBe(described.length);
  const { schemas } = openapi.components;
  const left = Object.keys(schemas).filter((name) => !described.includes(name.replace(/AsSent$/, '')));
  // Errors are described by code, where each has its remedy.
  expect(
    left.filter((name) => !/Error(Body|Code)?$|Details$|Reason$|^Issue$|^SyncFailure$/.test(name)),
  ).toEqual([]);
});

test('no page is longer than a reader looks through', async () => {
  for (const path of pages) expect([path, (await get(path)).body.length < 120_000]).toEqual([path, true]);
});

test('the reference has the guides of integrators, with their code', async () => {
  const webhooks = (await get('/docs/webhooks')).body;
  expect(webhooks).toContain('<h2 id="receiving-webhooks">Receiving webhooks</h2>');
  for (const line of ['export function verify(', 'def verify(', 'func Verify('])
    expect(webhooks).toContain(line);
  const sync = (await get('/docs/sync')).body;
  expect(sync).toContain('>Pushing records in</h2>');
  expect(sync).toMatch(/<pre tabindex="0"><code>BODY=/);
  const site = (await get('/docs/deploying')).body;
  for (const title of ['Deploying', 'Capacity', 'Rolling back']) expect(site).toContain(`>${title}</h2>`);
});

test('the first page opens with what a newcomer does first, at the address of this service', async () => {
  const { body } = await get('/docs');
  const [first = ''] = /<h2[^>]*>(.*?)<\/h2>/.exec(body)?.slice(1) ?? [];
  expect(first).toBe('Start here');
  for (const title of ['Concepts', 'The first run', 'Your own data'])
    expect(body).toContain(`>${title}</h2>`);
  expect(body).toContain(`BASE=${SITE_URL}/api/v1`);
});

test('every rule has its anchor', async () => {
  const { body } = await get('/docs/rules');
  const rules = readFileSync('functions/contract/rules.md', 'utf8');
  expect(body.match(/<li id="[a-z]+-\d+">/g)).toHaveLength(rules.match(/^\d+\. /gm)?.length ?? 0);
  expect(body).toContain('<li id="cancel-1">');
});

test('a rule for operators is on their page, and its old anchor leads there', async () => {
  const { body } = await get('/docs/operator-rules');
  const [topic] = ruleTopics.filter(({ title }) => title === 'admin');
  expect(body).toContain(`<li id="admin-1">${topic?.rules[0]?.slice(0, 20)}`);
  expect((await get('/docs/rules')).body).toContain(
    '<li id="admin-1"><a href="operator-rules#admin-1">admin 1</a>',
  );
});

test('an example opens the form of the console with the same body', async () => {
  const { body } = await get('/docs/runs');
  const [, fragment = ''] = /href="\.\.\/console#\/new\?([^"]+)"/.exec(body) ?? [];
  const sent = JSON.parse(new URLSearchParams(fragment).get('body') ?? '');
  expect(CreateRun.safeParse(sent)).toMatchObject({ success: true });
});

test('every link leads to a page, and to an anchor that exists', async () => {
  const texts = new Map(
    await Promise.all(pages.map(async (path) => [path, (await get(path)).body] as const)),
  );
  for (const [path, text] of texts) {
    for (const [, to = ''] of text.matchAll(/href="([^"]+)"/g)) {
      if (to === 'data:,' || /console/.test(to)) continue;
      const { pathname, hash } = new URL(to, `${SITE_URL}${path}`);
      const target = texts.get(pathname);
      if (!target) expect([to, (await get(pathname)).statusCode]).toEqual([to, 200]);
      else if (hash) expect([to, target.includes(`id="${hash.slice(1)}"`)]).toEqual([to, true]);
    }
  }
}, 30_000);

test('a page has one title, headings without gaps, and ids that are its own', async () => {
  for (const path of pages) {
    const { body } = await get(path);
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect([path, ids.length]).toEqual([path, new Set(ids).size]);
    const levels = [...body.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    for (const [i, level] of levels.entries()) expect(level - (levels[i - 1] ?? 0)).toBeLessThanOrEqual(1);
  }
});

test('no page loads or links anything from another host, and none has script or style in it', async () => {
  for (const path of [...pages, '/docs/style.css']) {
    const { body } = await get(path);
    // Examples name addresses of the reserved host; nothing may lead there either.
    const urls = [...body.matchAll(/https?:\/\/[^\s"'<)&]+/g)].map(([url]) => url);
    const foreign = urls.filter((url) => !url.startsWith(SITE_URL));
    expect(foreign.filter((url) => !/^https:\/\/(example\.com\/|…)/.test(url))).toEqual([]);
    expect(body).not.toMatch(/(href|src|action)="?https?:/);
    expect(body).not.toMatch(
      /<script(?! type="module" src="[./]*docs\/script\.js"><\/script>)|@import|url\(| style=| on\w+="/,
    );
  }
});

test('the policy allows own styles and one own script', async () => {
  const policy = headerOf(await get('/docs'), 'Content-Security-Policy');
  for (const rule of ["default-src 'none'", "script-src 'self'", "trusted-types 'none'"])
    expect(policy).toContain(rule);
  expect(policy).not.toContain('unsafe');
});

test.each(['/docs', '/'])('a page that opened %s cannot navigate it', async (path) => {
  expect(headerOf(await get(path), 'Cross-Origin-Opener-Policy')).toBe('same-origin');
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

test('a request id of the allowed form is used, another is replaced', async () => {
  expect(headerOf(await get('/health', { 'x-request-id': 'a.b:c-1' }), 'X-Request-Id')).toBe('a.b:c-1');
  expect(headerOf(await get('/health', { 'X-Request-Id': 'a b' }), 'X-Request-Id')).toMatch(
    /^[0-9a-f-]{36}$/,
  );
});

test.each(['/docs/nothing', '/nothing', '/a/b/'])(
  'a browser that asks for %s gets a page with the search and all pages (rules.md: reads 13)',
  async (path) => {
    const [, page = ''] = /^\/docs\/(.+)$/.exec(path) ?? [];
    const headers = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    const event = page
      ? restEvent('/docs/{page}', { pathParameters: { page }, headers })
      : restEvent('/{proxy+}', { pathParameters: { proxy: path.slice(1) }, headers });
    const { statusCode, body, headers: sent } = await handler(event, lambdaContext());
    expect([statusCode, sent?.['Content-Type'], sent?.['Cache-Control']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(body).toContain('role="search"');
    for (const [, to = ''] of body.matchAll(/<a href="([^"#]+)"/g)) {
      const { pathname } = new URL(to, `${SITE_URL}${path}`);
      if (pathname !== '/console') expect([to, (await get(pathname)).statusCode]).toEqual([to, 200]);
    }
  },
);

test.each(['v1/nothing', 'v1', 'webhooks/nothing', 'mcp/nothing'])(
  'the path /%s of the API has the error envelope in a browser, too',
  async (proxy) => {
    const event = restEvent('/{proxy+}', { pathParameters: { proxy }, headers: { accept: 'text/html' } });
    const { statusCode, body } = await handler(event, lambdaContext());
    expect([statusCode, JSON.parse(body).error.code]).toEqual([404, 'not_found']);
  },
);

test('an address that is easily guessed leads to the guide', async () => {
  const reply = await get('/docs/start');
  expect([reply.statusCode, headerOf(reply, 'Location')]).toEqual([308, 'start-here']);
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

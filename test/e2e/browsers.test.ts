// rules.md: cors, reads 5, reads 6, reads 7. What browsers and caches may expect of the service.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { raw, target } from '../support/raw.ts';
import { call, sharedService } from '../support/service.ts';
import { bridgeFor, push, send as sendSync } from '../support/sync-sender.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const ID = '0b2a4c6e-0000-4000-8000-000000000001';
const ORIGIN = ['Origin', 'https://app.example'] as const;

let home: given.Home;
let bearer: [string, string];
beforeAll(async () => {
  home = await given.workspace();
  bearer = ['Authorization', `Bearer ${home.key}`];
});

function expectOpen(headers: Headers): void {
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-expose-headers')).toBe(
    'X-Request-Id, Retry-After, Idempotency-Replayed, Content-Disposition',
  );
  expect(headers.get('access-control-allow-credentials')).toBeNull();
}

describe('other origins', () => {
  test.each<[string, string, number, boolean]>([
    ['GET', '/runs', 200, true],
    ['GET', '/runs', 401, false],
    ['POST', '/runs', 400, true],
    ['POST', '/runs?validate_only=x', 422, true],
    ['GET', `/runs/${ID}`, 404, true],
    ['GET', `/artifacts/${ID}`, 404, true],
    ['GET', `/runs/${ID}/events/stream`, 404, true],
    ['GET', '/nothing', 404, true],
    ['PUT', '/runs', 404, true],
    ['GET', '/runs/a/b/c', 404, true],
  ])('may read the answer to %s %s: %d', async (method, path, status, known) => {
    const reply = await raw(method, target(path), known ? [bearer, ORIGIN] : [ORIGIN]);
    expect(reply.status).toBe(status);
    expectOpen(reply.headers);
  });

  test('may read an event stream, by the address of the API and by its own', async () => {
    const { id } = (await when.createsPlanRun(home, [{ kind: 'fetch' }])).body;
    await then.ended(home, id);
    const { event_token, stream_url } = (await call('POST', `/runs/${id}/events/token`, { key: home.key }))
      .body;
    for (const url of [stream_url, `${sharedService().base_url}/runs/${id}/events/stream`]) {
      const reply = await fetch(`${url}?event_token=${event_token}`);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      expectOpen(reply.headers);
      await reply.body?.cancel();
    }
    const preflight = await fetch(stream_url, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
    ]);
    expectOpen(preflight.headers);
    expect((await fetch(`${stream_url}/x`, { method: 'OPTIONS' })).status).toBe(404);
  });

  test.each([
    ['/runs', 'GET, HEAD, POST, OPTIONS'],
    [`/runs/${ID}`, 'DELETE, GET, HEAD, OPTIONS'],
    [`/runs/${ID}/cancel`, 'POST, OPTIONS'],
    [`/runs/${ID}/events/stream`, 'GET, HEAD, OPTIONS'],
    ['/me', 'GET, HEAD, OPTIONS'],
    ['/entities', 'GET, HEAD, OPTIONS'],
  ])('OPTIONS %s tells its methods and headers, without a key', async (path, methods) => {
    const reply = await raw('OPTIONS', target(path), [ORIGIN, ['Access-Control-Request-Method', 'GET']]);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(reply.headers.get('access-control-allow-methods')?.split(', ').sort()).toEqual(
      methods.split(', ').sort(),
    );
    expect(reply.headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, Idempotency-Key, X-Request-Id, Last-Event-ID, X-Service-Api-Version, ' +
        'traceparent, tracestate, Cache-Control, X-Requested-With',
    );
    expect(reply.headers.get('x-request-id')).toBeTruthy();
    expectOpen(reply.headers);
  });

  test.each(['/nothing', '', '/artifacts', `/runs/${ID}/nothing`])(
    'OPTIONS %s is 404, and readable',
    async (path) => {
      const reply = await raw('OPTIONS', target(path), [ORIGIN]);
      expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([404, 'not_found']);
      expectOpen(reply.headers);
    },
  );

  test('inbound sync is not for them', async () => {
    const path = `/api/webhooks/sync/${ID}`;
    for (const [method, at, status] of [
      ['POST', path, 404],
      ['GET', path, 404],
      ['OPTIONS', path, 404],
      ['OPTIONS', `${path}/x/y`, 404],
    ] as const) {
      const reply = await raw(method, at, [ORIGIN]);
      expect([reply.status, [...reply.headers.keys()].filter((name) => name.startsWith('access-'))]).toEqual([
        status,
        [],
      ]);
    }
    const own = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
    const taken = await sendSync(await bridgeFor(own.workspace_id), push('company', 'C1', { name: 'Acme' }));
    expect([taken.status, taken.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });
});

describe('HEAD', () => {
  test.each(['/runs', '/me', '/entities?limit=1', `/runs/${ID}`, '/runs?limit=0', '/nothing'])(
    '%s has the status and headers of GET, and no body',
    async (path) => {
      const [head, get] = [
        await raw('HEAD', target(path), [bearer]),
        await raw('GET', target(path), [bearer]),
      ];
      expect([head.status, head.text]).toEqual([get.status, '']);
      for (const name of ['content-type', 'content-length', 'access-control-allow-origin'])
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    },
  );

  test('of pages and of the root too', async () => {
    for (const [path, status] of [
      ['/docs', 200],
      ['/openapi.json', 200],
      ['/health', 200],
      ['/', 200],
      ['/docs/nothing', 404],
    ] as const) {
      const reply = await raw('HEAD', path, []);
      expect([path, reply.status, reply.text]).toEqual([path, status, '']);
    }
  });

  test('of an event stream announces it, and ends', async () => {
    const { id } = (await when.createsPlanRun(home, [{ kind: 'analyze', instructions: '[[delay:9000]]' }]))
      .body;
    const { event_token } = (await call('POST', `/runs/${id}/events/token`, { key: home.key })).body;
    const reply = await raw('HEAD', target(`/runs/${id}/events/stream?event_token=${event_token}`), []);
    expect([reply.status, reply.headers.get('content-type'), reply.text]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
    await call('POST', `/runs/${id}/cancel`, { key: home.key });
  });
});

describe('pages and the document', () => {
  const paths = [
    '/docs',
    '/docs/runs',
    '/docs/errors',
    '/docs/style.css',
    '/docs/script.js',
    '/openapi.json',
    '/api/docs',
    '/console',
    '/console/jobs/x',
  ];

  test.each(paths)('%s is compressed for who takes that, and is the same text', async (path) => {
    const url = `${sharedService().site_url}${path}`;
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    const text = await plain.text();
    expect(plain.headers.get('content-encoding')).toBeNull();
    for (const [accepted, encoding] of [
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['gzip;q=1, br;q=0.2', 'gzip'],
    ] as const) {
      const reply = await fetch(url, { headers: { 'accept-encoding': accepted } });
      expect([accepted, reply.headers.get('content-encoding')]).toEqual([accepted, encoding]);
      expect(reply.headers.get('vary')).toMatch(/^(Accept, )?Accept-Encoding$/);
      expect(Number(reply.headers.get('content-length'))).toBeLessThan(text.length);
      expect(await reply.text()).toBe(text);
    }
  });

  test.each(paths)('%s need not be sent again to who has it', async (path) => {
    const tag = (await raw('GET', path, [])).headers.get('etag') ?? '';
    expect(tag).toMatch(/^(W\/)?"[\x21\x23-\x7e]+"$/);
    for (const known of [tag, `"other", ${tag}`, '*', tag.replace('W/', '')]) {
      const reply = await raw('GET', path, [
        ['If-None-Match', known],
        ['Accept-Encoding', 'br'],
      ]);
      expect([known, reply.status, reply.text]).toEqual([known, 304, '']);
      expect(reply.headers.get('etag')).toBe(tag);
    }
    expect((await raw('GET', path, [['If-None-Match', '"other"']])).status).toBe(200);
  });
});

describe('the console', () => {
  const QUESTION = '/console/jobs/0b2a4c6e-0000-4000-8000-000000000001-0-0-1';

  test.each([...['/console', '/api/console'], ...[QUESTION, `/api${QUESTION}`]])(
    '%s names assets that are there (rules.md: console 21)',
    async (path) => {
      const url = `${sharedService().site_url}${path}`;
      const page = await fetch(url);
      expect(page.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
      const names = [...(await page.text()).matchAll(/"((?:..\/)*console\/main-[^"]+)"/g)].map(
        ([, name = '']) => name,
      );
      expect(names).toHaveLength(2);
      for (const name of names) {
        const asset = await fetch(new URL(name, url));
        expect([asset.status, asset.headers.get('cache-control')]).toEqual([
          200,
          'public, max-age=31536000, immutable',
        ]);
        expect((await asset.text()).length).toBeGreaterThan(1000);
      }
    },
  );

  test('an asset that is not there is 404', async () => {
    expect((await raw('GET', '/console/main.js', [])).status).toBe(404);
  });
});

describe('the front door', () => {
  const browser = ['Accept', 'text/html,application/xhtml+xml,*/*;q=0.8'] as const;

  test.each([
    ['/', 'console'],
    ['/api/', 'console'],
    ['/api', 'api/console'],
  ])('%s leads a browser to the console', async (path, location) => {
    const reply = await raw('GET', path, [browser]);
    expect([reply.status, reply.headers.get('location')]).toEqual([302, location]);
    const { pathname } = new URL(location, `http://127.0.0.1${path}`);
    expect(pathname).toMatch(/^(\/api)?\/console$/);
  });

  test('every other client gets the addresses', async () => {
    const { base_url, site_url } = sharedService();
    const addresses = {
      base_url,
      docs_url: `${site_url}/docs`,
      openapi_url: `${site_url}/openapi.json`,
      console_url: `${site_url}/console`,
    };
    for (const accept of ['*/*', 'application/json']) {
      const reply = await call('GET', '//', { headers: { accept } });
      expect([reply.status, reply.body]).toEqual([200, addresses]);
    }
  });
});

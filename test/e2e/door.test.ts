// rules.md: request 10, request 11, errors 5, local 13, local 17. What the door does before a route does its work.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call, sharedService } from '../support/service.ts';

const RUN = '0b2a4c6e-0000-4000-8000-000000000001';
const MB = 1024 * 1024;

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace({ max_concurrent_runs: 1000 });
});

/** What comes back for the bytes of a request; afterwards the client ends its side, or waits. */
async function sends(head: string, { ends }: { ends: boolean }): Promise<string> {
  const { hostname, port } = new URL(sharedService().site_url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const lines = `${head}\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`;
  if (ends) socket.end(lines);
  else socket.write(lines);
  return text(socket);
}

describe('a body whose declared length is over 1 MB is answered before it is read', () => {
  const asked = (target: string, key = home.key) =>
    sends(`${target} HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${MB + 1}`, { ends: false });

  test.each([
    'POST /api/v1/runs',
    `POST /api/v1/runs/${RUN}/cancel`,
    `DELETE /api/v1/runs/${RUN}`,
    'GET /api/v1/runs',
    `GET /api/v1/artifacts/${RUN}`,
    `GET /api/v1/runs/${RUN}/events/stream`,
    'GET /docs',
    'POST /mcp',
  ])('%s: 413', async (target) => {
    expect(await asked(target)).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s);
  });

  test('the key is checked first, and so is the bridge of a sync message', async () => {
    expect(await asked('POST /api/v1/runs', 'sk_of_nobody')).toMatch(/^HTTP\/1\.1 401 /);
    expect(await asked(`POST /api/webhooks/sync/${RUN}`)).toMatch(/^HTTP\/1\.1 404 .*bridge_not_found/s);
  });
});

test('a client that ends its side after its request gets the answer, and a stream of events then ends', async () => {
  const bearer = `Authorization: Bearer ${home.key}`;
  expect(await sends('GET /health HTTP/1.1', { ends: true })).toMatch(/^HTTP\/1\.1 200 .*"ok"/s);
  expect(await sends(`GET /api/v1/me HTTP/1.1\r\n${bearer}`, { ends: true })).toMatch(/^HTTP\/1\.1 200 /);
  const body = { input_type: 'plan', plan: { title: 'P', steps: [{ kind: 'analyze', title: 'a' }] } };
  body.plan.steps = [{ kind: 'analyze', title: 'a', instructions: '[[delay:60000]]' } as never];
  const { id } = (await call('POST', '/runs', { key: home.key, body })).body;
  const stream = await sends(`GET /api/v1/runs/${id}/events/stream HTTP/1.1\r\n${bearer}`, { ends: true });
  expect(stream).toMatch(/^HTTP\/1\.1 200 .*text\/event-stream/s);
  await call('POST', `/runs/${id}/cancel`, { key: home.key });
});

test('a target in absolute form is its path', async () => {
  const { site_url } = sharedService();
  const target = `GET ${site_url}/api/v1/me?x=1 HTTP/1.1\r\nAuthorization: Bearer ${home.key}`;
  expect(await sends(target.replace('?x=1', ''), { ends: false })).toMatch(/^HTTP\/1\.1 200 .*"workspace"/s);
  expect(await sends(target, { ends: false })).toMatch(/^HTTP\/1\.1 422 /);
});

describe('a compressed body', () => {
  const post = (encoding: string, body: unknown, key = home.key) =>
    call('POST', '/runs', { key, headers: { 'content-encoding': encoding }, body });
  const small = gzipSync('{"input_type":"query","query":"companies"}');

  test.each(['gzip', 'br', 'zstd', 'GZIP', 'identity, gzip', 'x'.repeat(300)])(
    '%s is 415',
    async (encoding) => {
      const received = encoding.length > 200 ? expect.stringMatching(/^x{199}…$/) : encoding;
      expectRefusal(await post(encoding, small), 415, 'unsupported_media_type', { details: { received } });
    },
  );

  test('is refused after the key, before the size, and where no body is read', async () => {
    expectRefusal(await post('gzip', small, 'sk_of_nobody'), 401, 'auth_invalid');
    expectRefusal(await post('gzip', Buffer.alloc(MB + 1)), 415, 'unsupported_media_type');
    const cancel = { key: home.key, headers: { 'content-encoding': 'br' }, body: small };
    expectRefusal(await call('POST', `/runs/${RUN}/cancel`, cancel), 415, 'unsupported_media_type');
  });

  test('identity is none, and a request without a body has none', async () => {
    expect((await post('Identity', { input_type: 'query', query: 'companies' })).status).not.toBe(415);
    const headers = { 'content-encoding': 'gzip' };
    expect((await call('GET', '/me', { key: home.key, headers })).status).toBe(200);
  });
});

test.each([
  ['/runs', 'LIMIT=5', 'LIMIT'],
  ['/runs', 'limit%5B%5D=5', 'limit[]'],
  ['/runs', 'stauts=failed', 'stauts'],
  [`/runs/${RUN}/events`, 'keep_open=1', 'keep_open'],
  [`/runs/${RUN}/events/stream`, 'lastEventId=1', 'lastEventId'],
  ['/me', 'x=', 'x'],
  ['/runs', '__proto__=1', '__proto__'],
  [`/artifacts/${RUN}`, 'Format=csv', 'Format'],
])('GET %s?%s: an unknown parameter is 422 with its name', async (path, query, param) => {
  const reply = await call('GET', `${path}?${query}`, { key: home.key });
  expectRefusal(reply, 422, 'schema_validation_failed', { param });
});

test.each([
  ['/runs', 'limit', '101'],
  ['/entities', 'limit', '0'],
  ['/runs', 'limit', '99999999999'],
  ['/monitors', 'limit', '-1'],
  ['/runs', 'created_after', 'undefined'],
])('GET %s?%s=%s: an issue has the value that was sent', async (path, param, value) => {
  const reply = await call('GET', `${path}?${param}=${value}`, { key: home.key });
  expectRefusal(reply, 422, 'schema_validation_failed', { param });
  expect(reply.body.error.details.issues).toMatchObject([{ received: value }]);
});

test('an issue of a body has the beginning of the value that was sent, never its length', async () => {
  const send = async (body: object) => {
    const reply = await call('POST', '/runs', { key: home.key, body });
    return reply.body.error.details.issues[0];
  };
  const long = await send({ input_type: 'query', query: '🦄'.repeat(4001) });
  expect(long).toMatchObject({ path: ['query'], received: `${'🦄'.repeat(199)}…` });
  expect(await send({ input_type: 'query', query: '' })).toMatchObject({ received: '' });
  const sections = Array.from({ length: 51 }, (_, n) => `Section ${n}`);
  const params = { entity: { id: RUN }, sections };
  const many = await send({ input_type: 'preset', preset: 'dossier', params });
  expect(many.received).toMatch(/^\["Section 0","Section 1",.{0,180}…$/);
});

test.each([
  ['/console/', '/console'],
  ['/docs/', '/docs'],
  ['/docs/errors/', '/docs/errors'],
  ['/api/docs/', '/api/docs'],
])('%s leads to the page', async (path, page) => {
  const { site_url } = sharedService();
  const reply = await fetch(`${site_url}${path}`, { redirect: 'manual' });
  expect([reply.status, new URL(reply.headers.get('location') ?? '', `${site_url}${path}`).pathname]).toEqual(
    [308, page],
  );
  expect((await fetch(`${site_url}${path}`)).status).toBe(200);
});

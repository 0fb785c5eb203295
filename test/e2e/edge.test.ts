// rules.md: request 8. Whatever bytes arrive, what goes back is the error envelope with a request id; never HTML, never
// a 5xx.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { type RawReply, raw, sendsRaw, target } from '../support/raw.ts';
import { expectRefusal } from '../support/refusal.ts';
import { checkReply } from '../support/schema-check.ts';
import { call, sharedService } from '../support/service.ts';
import { bridgeFor, send as sendSync } from '../support/sync-sender.ts';
import * as when from '../support/when.ts';

const ID = '0b2a4c6e-0000-4000-8000-000000000001';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
type Headers = [string, string][];

let home: given.Home;
let bearer: [string, string];
beforeAll(async () => {
  home = await given.workspace({ max_concurrent_runs: 1000 });
  bearer = ['Authorization', `Bearer ${home.key}`];
});

/** The reply is the envelope of the code, whatever was sent. */
function expectEnvelope(reply: RawReply, status: number, code: string): void {
  const { error } = JSON.parse(reply.text);
  expect([reply.status, error.code]).toEqual([status, code]);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(error.request_id).toBe(reply.headers.get('x-request-id'));
  expect(error.doc_url).toBe(`${sharedService().site_url}/docs/errors#${code}`);
  expect(error.message).toEqual(expect.any(String));
}

describe('X-Request-Id', () => {
  const list = (id: string) => raw('GET', target('/runs'), [bearer, ['X-Request-Id', id]]);

  test.each(['a', 'A-z_0.9:x', '7'.repeat(128)])('%s is echoed', async (id) => {
    expect((await list(id)).headers.get('x-request-id')).toBe(id);
  });

  test.each([
    ['empty', ''],
    ['129 characters', 'x'.repeat(129)],
    ['9 KB', 'x'.repeat(9000)],
    ['a space', 'a b'],
    ['a slash', 'a/b'],
    ['a tab', 'a\tb'],
    ['Latin-1', 'caf\u00e9'],
    ['markup', '<script>'],
    ['an encoded line break', 'a%0d%0aSet-Cookie:x'],
  ])('one that has %s is replaced by a UUID', async (_what, id) => {
    const reply = await list(id);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-request-id')).toMatch(UUID);
  });

  test('is in header and body of an error alike', async () => {
    const reply = await raw('GET', target(`/runs/${ID}`), [bearer, ['X-Request-Id', 'mine']]);
    expectEnvelope(reply, 404, 'run_not_found');
    expect(reply.headers.get('x-request-id')).toBe('mine');
  });

  test.each<[string, () => Promise<{ headers: globalThis.Headers }>]>([
    ['a success', () => call('GET', '/runs', { key: home.key })],
    ['a create', () => when.createsPlanRun(home, [{ kind: 'fetch' }])],
    ['an unknown path', () => call('GET', '/nothing')],
    ['the reference page', () => call('GET', '//docs')],
    ['the health page', () => call('GET', '//health')],
  ])('is on %s', async (_what, ask) => {
    expect((await ask()).headers.get('x-request-id')).toMatch(/^[\x21-\x7e]+$/);
  });
});

describe('unknown paths and methods', () => {
  test.each([
    ['PUT', '/runs'],
    ['GET', '/nothing/here'],
    ['POST', '//nothing'],
    ['DELETE', '//docs'],
  ])('%s %s is not_found and carries the request id that was sent', async (method, path) => {
    const reply = await call(method, path, { headers: { 'X-Request-Id': 'mine.1' } });
    expect(reply.status).toBe(404);
    expect(reply.headers.get('x-request-id')).toBe('mine.1');
    expect(reply.body.error).toMatchObject({ code: 'not_found', request_id: 'mine.1' });
  });

  test.each([
    ['GET', '/nothing'],
    ['GET', '/'],
    ['GET', ''],
    ['PUT', '/runs'],
    ['PATCH', `/runs/${ID}`],
    ['PUT', `/runs/${ID}`],
    ['GET', `/runs/${ID}/cancel`],
    ['POST', `/runs/${ID}`],
    ['POST', '/entities/resolve'],
    ['TRACE', '/runs'],
    ['GET', '/runs/a/b'],
    ['GET', '/Runs'],
    ['GET', '//runs'],
    ['PROPFIND', '/runs'],
  ])('%s %s: not_found', async (method, path) => {
    const reply = await raw(method, target(path), [bearer]);
    expectEnvelope(reply, 404, 'not_found');
    checkReply({
      method,
      path: target(path),
      status: 404,
      headers: reply.headers,
      body: JSON.parse(reply.text),
    });
  });

  test.each(['/api/v2/runs', '/v1/../secret', '/index.html', '/.env', '/%', '/%00'])(
    'outside the base address, %s: not_found',
    async (path) => expectEnvelope(await raw('GET', path, [bearer]), 404, 'not_found'),
  );

  test('HEAD has no body, and is not a 5xx', async () => {
    const reply = await raw('HEAD', target('/runs'), [bearer]);
    expect(reply.status).toBeLessThan(500);
    expect(reply.text).toBe('');
  });

  test.each([
    '/runs/../artifacts',
    '/runs/./x',
    `/runs/..%2f..%2f${ID}`,
    '/runs/%2e%2e',
    '/runs/%00',
    '/runs/%c0%af',
    '/runs/%',
  ])('a path with tricks, %s, finds nothing', async (path) => {
    const reply = await raw('GET', target(path), [bearer]);
    expect(reply.status).toBe(404);
    expect(['run_not_found', 'not_found']).toContain(JSON.parse(reply.text).error.code);
  });

  test('CONNECT and an absolute request target make no proxy of it', async () => {
    const { host } = new URL(sharedService().base_url);
    const absolute = await sendsRaw(
      `GET http://example.com/x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(absolute.status).toBe(404);
  });
});

describe('headers', () => {
  test('10 KB of headers are too many, as the envelope says', async () => {
    const reply = await raw('GET', target('/runs'), [bearer, ['X-Filler', 'x'.repeat(10_300)]]);
    expectEnvelope(reply, 413, 'payload_too_large');
  });

  test('a megabyte of headers is refused unread', async () => {
    const reply = await raw('GET', target('/runs'), [bearer, ['X-Filler', 'x'.repeat(1_000_000)]]);
    expectEnvelope(reply, 413, 'payload_too_large');
  });

  test('a long list of references is too large', async () => {
    const refs = JSON.stringify(Array.from({ length: 300 }, () => ({ id: ID })));
    const reply = await raw('GET', target(`/entities/resolve?refs=${encodeURIComponent(refs)}`), [bearer]);
    expectEnvelope(reply, 413, 'payload_too_large');
  });

  test.each<[string, Headers]>([
    [
      'two keys',
      [
        ['Authorization', 'Bearer sk_a'],
        ['Authorization', 'Bearer sk_b'],
      ],
    ],
    ['Latin-1', [['Authorization', 'Bearer caf\u00e9']]],
  ])('Authorization with %s is a 401', async (_what, headers) => {
    const reply = await raw('GET', target('/runs'), headers);
    expectEnvelope(reply, 401, 'auth_invalid');
  });

  test('a repeated X-Request-Id does no harm', async () => {
    const reply = await raw('GET', target('/runs'), [bearer, ['X-Request-Id', 'a'], ['X-Request-Id', 'b']]);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-request-id')).toMatch(/^(a|b)$|^[0-9a-f-]{36}$/);
  });

  test('names of any case are read', async () => {
    const reply = await raw('GET', target('/runs'), [
      ['aUTHORIZATION', `Bearer ${home.key}`],
      ['x-REQUEST-id', 'q'],
    ]);
    expect([reply.status, reply.headers.get('x-request-id')]).toEqual([200, 'q']);
  });

  test('errors are never cached', async () => {
    expect((await call('GET', `/runs/${ID}`, { key: home.key })).headers.get('cache-control')).toBe(
      'no-store',
    );
  });
});

describe('query strings', () => {
  test.each([
    ['limit=1&limit=2', 422],
    ['limit=%31', 200],
    ['limit=%', 422],
    ['limit=%FF', 422],
    ['limit=1%00', 422],
    ['__proto__=1&constructor=2', 422],
    ['unknown=1', 422],
    ['&&&', 200],
    ['&&&=&', 422],
    ['limit[]=5', 422],
    ['?limit=5', 200],
    [`cursor=${'%41'.repeat(2000)}`, 422],
  ])('GET /runs?%s answers %d', async (query, status) => {
    const reply = await raw('GET', target(`/runs?${query}`), [bearer]);
    expect(reply.status).toBe(status);
    if (status === 422) expectEnvelope(reply, 422, 'schema_validation_failed');
  });

  test('parameters of another route are unknown to POST /runs', async () => {
    const body = { input_type: 'plan', plan: when.plan({ kind: 'fetch' }) };
    const reply = await call('POST', '/runs?limit=x', { key: home.key, body });
    expectRefusal(reply, 422, 'schema_validation_failed', { param: 'limit' });
  });
});

describe('bodies', () => {
  const json: [string, string] = ['Content-Type', 'application/json'];
  const body = Buffer.from(JSON.stringify({ input_type: 'plan', plan: when.plan({ kind: 'fetch' }) }));
  const post = (headers: Headers, bytes: Uint8Array) =>
    raw('POST', target('/runs'), [bearer, ...headers], bytes);
  const head = (extra: string) =>
    `POST ${target('/runs')} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer[1]}\r\nContent-Type: application/json\r\nConnection: close\r\n${extra}\r\n`;

  test('without any body: invalid_json', async () => {
    expectEnvelope(await post([json], new Uint8Array()), 400, 'invalid_json');
    expectEnvelope(await post([], new Uint8Array()), 400, 'invalid_json');
  });

  test('a chunked body is a body', async () => {
    const half = Math.floor(body.length / 2);
    const chunk = (bytes: Uint8Array) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    const chunks = Buffer.concat([
      chunk(body.subarray(0, half)),
      chunk(body.subarray(half)),
      Buffer.from('0\r\n\r\n'),
    ]);
    expect((await sendsRaw(head('Transfer-Encoding: chunked\r\n'), chunks)).status).toBe(202);
  });

  test('11 MB are refused by the gateway, announced or chunked', async () => {
    const announced = await sendsRaw(
      head(`Content-Length: ${11 * 1024 * 1024}\r\n`),
      Buffer.alloc(1024, 0x20),
    );
    expectEnvelope(announced, 413, 'payload_too_large');
    const piece = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(0x100000, 0x20),
      Buffer.from('\r\n'),
    ]);
    const chunked = await sendsRaw(
      head('Transfer-Encoding: chunked\r\n'),
      ...Array(11).fill(piece),
      '0\r\n\r\n',
    );
    expectEnvelope(chunked, 413, 'payload_too_large');
  });

  test('5 MB pass the gateway and are payload_too_large with both numbers', async () => {
    const reply = await post([json], Buffer.alloc(5 * 1024 * 1024 - 1024 * 1024, 0x20));
    expectEnvelope(reply, 413, 'payload_too_large');
    expect(JSON.parse(reply.text).error.details).toEqual({ max_bytes: 1_048_576, received_bytes: 4_194_304 });
  });

  test.each([
    ['no media type', []],
    ['a form', [['Content-Type', 'application/x-www-form-urlencoded']]],
    ['a media type of junk', [['Content-Type', ';;;=']]],
    ['UTF-16 announced', [['Content-Type', 'application/json; charset=utf-16']]],
  ] as [string, Headers][])('%s is never more than a 400', async (_what, headers) => {
    const reply = await post(headers, body);
    expect([202, 400]).toContain(reply.status);
    if (reply.status === 400) expectEnvelope(reply, 400, 'invalid_json');
  });

  test.each([
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
    ['a truncated character', Buffer.concat([Buffer.from('{"input_type":"'), Buffer.of(0xf0, 0x9f)])],
    ['NUL bytes', Buffer.alloc(64)],
    ['random bytes', Buffer.from(Array.from({ length: 256 }, (_, i) => (i * 73) % 256))],
  ])('%s: invalid_json', async (_what, bytes) => {
    expectEnvelope(await post([json], bytes), 400, 'invalid_json');
  });

  test.each([
    ['cancel', 200],
    ['events/token', 200],
  ])('a body that POST /runs/{id}/%s does not take is ignored', async (action, status) => {
    const { id } = (await when.createsPlanRun(home, [{ kind: 'fetch' }])).body;
    const reply = await call('POST', `/runs/${id}/${action}`, { key: home.key, body: '{not json' });
    expect(reply.status).toBe(status);
  });

  test('a GET with a body is a GET', async () => {
    expect((await raw('GET', target('/runs'), [bearer], Buffer.from('{'))).status).toBe(200);
  });
});

describe('invalid HTTP', () => {
  test.each([
    ['garbage', 'hello\r\n\r\n'],
    ['raw bytes in the path', `GET /\u00ff HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a control character in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\u0001b\r\n\r\n'],
    ['a bad header name', 'GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('%s gets the envelope, and the service lives on', async (_what, bytes) => {
    const reply = await sendsRaw(bytes);
    expectEnvelope(reply, 422, 'schema_validation_failed');
    expectRefusal(await call('GET', '/runs'), 401, 'auth_missing');
  });
});

test('a hostile body is refused shortly by every route that takes one (rules.md: errors 5)', async () => {
  const numbers = `[${Array.from({ length: 170_000 }, () => '1e999')}]`;
  const send = (path: string, body: string) => call('POST', path, { key: home.key, body });
  const synced = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
  const bridge = await bridgeFor(synced.workspace_id);
  const refused = [
    send('/runs', `{"input_type":"query","query":"x","${'k'.repeat(20_000)}":${numbers}}`),
    send(`/runs/${ID}/resume`, `{"plan":${numbers}}`),
    send(`/runs/${ID}/rerun-from`, `{"step_index":${numbers}}`),
    sendSync(bridge, Buffer.from(`{"resource":{"type":"company","id":"1"},"data":${numbers}}`)),
  ];
  const replies = await Promise.all(refused);
  expect(replies.map(({ status }) => status)).toEqual([422, 422, 422, 400]);
  for (const { body } of replies) expect(JSON.stringify(body).length).toBeLessThanOrEqual(16 * 1024);
});

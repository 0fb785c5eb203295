// Pull mode: what is asked of the sender's server, and which answers are accepted.
import { beforeAll, expect, test } from 'vitest';
import { syncSignature } from '#domain/sync/verify.ts';
import { createOutbound, type OutboundRequest, type Outcome } from '#outbound/request.ts';
import { newId } from '#platform/ids.ts';
import * as entities from '#store/records/entity-items.ts';
import { bridgedWorkspace, push, remove, secretHex, sync } from '../../support/bridges.ts';
import { useBridges } from './use-bridges.ts';

let workspace: string;
let bridge: string;
useBridges();
beforeAll(async () => {
  ({ workspace, bridge } = await bridgedWorkspace());
});

const fetch_url = 'https://crm.example.com/companies/1?full=yes#x';
const pull = (id: string) => ({ resource: { type: 'company', id }, operation: 'update', fetch_url });
const answer = (status: number, body: unknown): Outcome => ({
  kind: 'response',
  status,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  duration_ms: 1,
});
const data = { type: 'company', id: '1', attributes: { name: 'Pulled' } };

test('the data is fetched by a GET that is signed over the exact URL', async () => {
  const asked: OutboundRequest[] = [];
  const fetch = async (request: OutboundRequest) => {
    asked.push(request);
    return answer(200, data);
  };
  expect(await sync(bridge, pull('1'), { fetch })).toBe(1);
  expect(await entities.resolve(workspace, { external_uri: 'company:1' })).toMatchObject({ name: 'Pulled' });
  expect(asked).toMatchObject([
    {
      method: 'GET',
      url: fetch_url,
      timeoutMs: 10_000,
      readBodyBytes: 1024 * 1024,
      headers: { 'X-Webhook-Signature': syncSignature(fetch_url, secretHex) },
    },
  ]);
  expect(Date.parse(asked[0]?.headers['X-Webhook-Timestamp'] ?? '')).toBeGreaterThan(Date.now() - 60_000);
});

test('an answer may wrap the data as a push does', async () => {
  expect(await sync(bridge, pull('1'), { fetch: async () => answer(200, { data }) })).toBe(1);
});

test('data that was sent wins, and nothing is fetched', async () => {
  const fetch = async () => Promise.reject(new Error('fetched'));
  expect(await sync(bridge, push('company', '1', { name: 'Pushed' }, { fetch_url }), { fetch })).toBe(1);
});

test('a delete fetches nothing', async () => {
  const fetch = async () => Promise.reject(new Error('fetched'));
  expect(await sync(bridge, remove('company', newId(), { fetch_url }), { fetch })).toBe(0);
});

test.each<[string, Outcome]>([
  ['a redirect', answer(302, data)],
  ['an error', answer(500, data)],
  ['no content', answer(204, '')],
  ['no JSON', answer(200, '<html>')],
  ['another resource', answer(200, { ...data, id: '2' })],
  ['no attributes', answer(200, { type: 'company', id: '1' })],
  ['a blocked address', { kind: 'blocked', reason: 'private_address', duration_ms: 0 }],
  ['no connection', { kind: 'failed', error: 'ECONNREFUSED', duration_ms: 0 }],
])('%s is a wrong payload', async (_, outcome) => {
  await expect(sync(bridge, pull('1'), { fetch: async () => outcome })).rejects.toMatchObject({
    code: 'invalid_payload',
  });
});

test.each([
  'http://crm.example.com/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://a:b@example.com/',
  '',
])('the address rules of callbacks hold: %s is refused without a connection', async (url) => {
  const { send } = createOutbound({
    lookup: async () => ['127.0.0.1'],
    connect: () => Promise.reject(new Error('connected')),
  });
  await expect(sync(bridge, { ...pull('1'), fetch_url: url }, { fetch: send })).rejects.toMatchObject({
    code: 'invalid_payload',
  });
});

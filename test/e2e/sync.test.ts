// rules.md: sync. Over HTTP, as a sender with its own crypto does it.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin, call, type HttpReply } from '../support/service.ts';
import { bridgeFor, hmacOf, push, type SyncBridge, send } from '../support/sync-sender.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { customer } from './webhook-receiver.ts';

async function resolve(home: given.Home, ref: object) {
  const refs = encodeURIComponent(JSON.stringify([ref]));
  return (await call('GET', `/entities/resolve?refs=${refs}`, { key: home.key })).body.results[0];
}

/** The rows that a plan of one retrieving step brings to a table. */
async function rows(home: given.Home, step: Record<string, unknown>): Promise<Record<string, unknown>[]> {
  const reply = await when.createsPlanRun(home, [
    step,
    { kind: 'reconstitute', params: { expected_artifacts: ['table'] } },
  ]);
  const run = await then.ended(home, reply.body.id);
  const table = run.artifacts.find((artifact: { kind: string }) => artifact.kind === 'table');
  return table ? (await call('GET', `/artifacts/${table.id}`, { key: home.key })).body.rows : [];
}

let home: given.Home;
let bridge: SyncBridge;
beforeAll(async () => {
  home = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
  bridge = await bridgeFor(home.workspace_id);
});

test('a synced record is found at once by resolve, fetch and vector_search', async () => {
  const reply = await send(bridge, push('company', 'v1', { name: 'Visible Works', hq: 'Berlin', noise: 1 }));
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ success: true, processed_workspaces: 1 });
  const found = await resolve(home, { external_uri: 'company:v1' });
  expect(found).toMatchObject({ resolved: true, entity_name: 'Visible Works', entity_type: 'company' });
  expect(await resolve(home, { external_id: 'v1', source: 'custom' })).toMatchObject({
    entity_id: found.entity_id,
  });
  const [fetched, searched] = await Promise.all([
    rows(home, { kind: 'fetch', params: { source: 'company', query: 'visible' } }),
    rows(home, { kind: 'vector_search', params: { source: 'company', query: 'Visible Works', limit: 1 } }),
  ]);
  for (const table of [fetched, searched]) expect(JSON.stringify(table)).toContain('Visible Works');
});

test('a synced relationship links the records, with its role', async () => {
  await Promise.all([
    send(bridge, push('person', 'p1', { full_name: 'Mara Olsen' })),
    send(bridge, push('company', 'c1', { name: 'Linked Ltd' })),
  ]);
  const employment = push('employment', 'e1', { person_id: 'p1', company_id: 'c1', role: 'CFO' });
  expect((await send(bridge, employment)).body.processed_workspaces).toBe(1);
  const links = await rows(home, { kind: 'fetch', params: { source: 'relationships', query: 'Mara' } });
  expect(JSON.stringify(links)).toMatch(/Mara Olsen.*CFO|CFO.*Mara Olsen/);
});

test('a change of long ago is applied, and a copy of it does not undo a later version (rules.md: sync 13)', async () => {
  const timestamp = '2020-01-01T00:00:00Z';
  const named = (name: string, version: number) => push('company', 'old', { name }, { timestamp, version });
  const first = named('Old Works', 1);
  expect((await send(bridge, first)).body.processed_workspaces).toBe(1);
  expect((await send(bridge, named('New Works', 2))).body.processed_workspaces).toBe(1);
  expect((await send(bridge, first)).body.processed_workspaces).toBe(0);
  expect(await resolve(home, { external_uri: 'company:old' })).toMatchObject({ entity_name: 'New Works' });
});

test('a relationship whose end does not exist is skipped', async () => {
  const orphan = push('employment', 'e2', { person_id: 'nobody', company_id: 'c1' });
  expect((await send(bridge, orphan)).body).toEqual({ success: true, processed_workspaces: 0 });
});

test('a deleted record is found no more', async () => {
  await send(bridge, push('company', 'd1', { name: 'Gone Works' }));
  await send(bridge, { resource: { type: 'company', id: 'd1' }, operation: 'delete' });
  expect(await resolve(home, { external_uri: 'company:d1' })).toMatchObject({ resolved: false });
});

test('every refusal has the short error body, its status and the request id', async () => {
  const valid = push('company', 'x', { name: 'x' });
  const old = new Date(Date.now() - 6 * 60_000).toISOString();
  const nowhere = { ...bridge, bridge_id: '00000000-0000-4000-8000-000000000000' };
  const cases: [number, string, Promise<HttpReply>][] = [
    [404, 'bridge_not_found', send(nowhere, valid)],
    [404, 'bridge_not_found', send({ ...bridge, bridge_id: 'none' }, valid)],
    [413, 'payload_too_large', send(bridge, Buffer.alloc(1024 * 1024 + 1, 0x20))],
    [401, 'invalid_signature', send({ ...bridge, secret: 'wrong' }, valid)],
    [401, 'timestamp_expired', send(bridge, valid, { 'X-Webhook-Timestamp': old })],
    [400, 'invalid_payload', send(bridge, valid, { 'X-Webhook-Timestamp': 'now' })],
    [400, 'invalid_payload', send(bridge, Buffer.from([0x7b, 0xff, 0x7d]))],
    [400, 'invalid_payload', send(bridge, { resource: { type: 'company' } })],
    [422, 'unknown_resource_type', send(bridge, push('invoice', '1', {}))],
  ];
  for (const [status, error, reply] of cases) {
    const { status: got, body } = await reply;
    expect({ got, body }).toEqual({
      got: status,
      body: { success: false, error, message: expect.any(String) },
    });
  }
  const named = await send({ ...bridge, secret: 'wrong' }, valid, { 'X-Request-Id': 'abc-1' });
  expect(named.headers.get('x-request-id')).toBe('abc-1');
});

test('a bridge that is switched off is not found, and works again when it is switched on', async () => {
  const own = await bridgeFor(home.workspace_id);
  const message = push('company', 'off', { name: 'x' });
  await admin({ command: 'bridge.update', bridge_id: own.bridge_id, status: 'inactive' });
  expect((await send(own, message)).status).toBe(404);
  await admin({ command: 'bridge.update', bridge_id: own.bridge_id, status: 'active' });
  expect((await send(own, message)).status).toBe(200);
});

test('pull mode fetches the data, and the sender can verify the request', async () => {
  const attributes = { name: 'Pulled Ltd' };
  const server = await customer((response) =>
    response.end(JSON.stringify({ type: 'company', id: 'pull1', attributes })),
  );
  const message = { resource: { type: 'company', id: 'pull1' }, operation: 'update', fetch_url: server.url };
  expect((await send(bridge, message)).body).toEqual({ success: true, processed_workspaces: 1 });
  expect(await resolve(home, { external_uri: 'company:pull1' })).toMatchObject({ entity_name: 'Pulled Ltd' });
  expect(server.received[0]?.headers['x-webhook-signature']).toBe(hmacOf(bridge.secret, server.url));
});

test('a pull that redirects, is too large or compressed, or belongs to another resource is a wrong payload', async () => {
  const canary = await customer((response) => response.end('{}'));
  const servers = await Promise.all([
    customer((response) => response.writeHead(302, { location: canary.url }).end()),
    customer((response) => response.end(Buffer.alloc(1024 * 1024 + 1, 0x20))),
    customer((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')),
    customer((response) => response.end(JSON.stringify({ type: 'company', id: 'other', attributes: {} }))),
  ]);
  for (const { url } of servers) {
    const message = { resource: { type: 'company', id: 'pull2' }, operation: 'update', fetch_url: url };
    expect((await send(bridge, message)).body).toMatchObject({ error: 'invalid_payload' });
  }
  expect(canary.received).toEqual([]);
});

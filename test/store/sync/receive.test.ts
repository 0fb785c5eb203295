// Which messages are taken, in the order of the checks, and what is passed over.
import { beforeAll, expect, test } from 'vitest';
import type { SyncErrorCode } from '#contract/sync.ts';
import { newId } from '#platform/ids.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import {
  bridgedWorkspace,
  embed,
  newBridge,
  newWorkspace,
  push,
  remove,
  resources,
  sync,
} from '../../support/bridges.ts';
import { allEntities } from '../../support/records-in-table.ts';
import { useBridges } from './use-bridges.ts';

let workspace: string;
let bridge: string;
useBridges();
beforeAll(async () => {
  ({ workspace, bridge } = await bridgedWorkspace());
});

const valid = push('company', '1', { name: 'Acme' });
const refused = (result: Promise<number>, code: SyncErrorCode) =>
  expect(result).rejects.toMatchObject({ code });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const raw = (text: string) => ({ body: Buffer.from(text) });

test('an unknown, malformed or inactive bridge is not found, whatever else is wrong', async () => {
  const inactive = await newBridge([workspace], { status: 'inactive' });
  for (const id of [newId(), 'x', 'x'.repeat(5000), undefined, inactive])
    await refused(sync(id, valid, { signature: 'wrong' }), 'bridge_not_found');
});

test('a bridge id is found in either case', async () => {
  expect(await sync(bridge.toUpperCase(), valid)).toBe(1);
});

test('a body over 1 MB is refused before its signature is looked at', async () => {
  const body = Buffer.alloc(1024 * 1024 + 1, 0x20);
  await refused(sync(bridge, undefined, { body, signature: 'wrong' }), 'payload_too_large');
});

test('a wrong or absent signature is refused before the timestamp', async () => {
  for (const signature of [undefined, '', 'sha256=', `sha256=${'0'.repeat(64)}`])
    await refused(sync(bridge, valid, { signature, timestamp: undefined }), 'invalid_signature');
});

test('a timestamp that is absent or unreadable is a wrong payload', async () => {
  for (const timestamp of [undefined, '', 'yesterday', '1700000000'])
    await refused(sync(bridge, valid, { timestamp }), 'invalid_payload');
});

test('a timestamp more than five minutes off either way has expired', async () => {
  for (const minutes of [5.1, -5.1])
    await refused(sync(bridge, 'no message', { timestamp: minutesAgo(minutes) }), 'timestamp_expired');
  expect(await sync(bridge, valid, { timestamp: minutesAgo(4.9) })).toBe(1);
});

test.each([
  ['no JSON', 'nonsense'],
  ['an empty body', ''],
  ['an array', '[]'],
  ['no resource', '{"operation":"create"}'],
  ['no operation', '{"resource":{"type":"company","id":"1"}}'],
  ['an unknown operation', '{"resource":{"type":"company","id":"1"},"operation":"upsert"}'],
  ['neither data nor fetch_url', '{"resource":{"type":"company","id":"1"},"operation":"create"}'],
  ['a negative version', '{"resource":{"type":"company","id":"1"},"operation":"delete","version":-1}'],
  [
    'a version beyond 2^53',
    '{"resource":{"type":"company","id":"1"},"operation":"delete","version":9007199254740993}',
  ],
  ['a version that is text', '{"resource":{"type":"company","id":"1"},"operation":"delete","version":"1"}'],
  ['an infinite number', '{"resource":{"type":"company","id":"1"},"operation":"delete","x":1e999}'],
  ['a lone surrogate', '{"resource":{"type":"company","id":"\\ud800"},"operation":"delete"}'],
  [
    'nesting beyond 64',
    `{"resource":{"type":"company","id":"1"},"operation":"delete","x":${'['.repeat(65)}${']'.repeat(65)}}`,
  ],
  ['hostile nesting', '['.repeat(500_000) + ']'.repeat(500_000)],
  ['an id beyond the key size', JSON.stringify(remove('company', '🙂'.repeat(450)))],
])('%s is a wrong payload', async (_, text) => {
  await refused(sync(bridge, undefined, raw(text)), 'invalid_payload');
});

test('bytes that are not UTF-8 are an invalid payload', async () => {
  const body = Buffer.concat([
    Buffer.from('{"resource":{"type":"company","id":"'),
    Buffer.from([0xff]),
    Buffer.from('"},"operation":"delete"}'),
  ]);
  await refused(sync(bridge, undefined, { body }), 'invalid_payload');
});

test('data of another resource is a wrong payload', async () => {
  const { resource, operation } = valid;
  for (const data of [
    { type: 'person', id: '1', attributes: {} },
    { type: 'company', id: '2', attributes: {} },
  ])
    await refused(sync(bridge, { resource, operation, data }), 'invalid_payload');
});

test('a type that the bridge does not take is refused after the shape', async () => {
  await refused(sync(bridge, push('invoice', '1', {})), 'unknown_resource_type');
  await refused(sync(bridge, { resource: { type: 'invoice', id: '1' } }), 'invalid_payload');
});

test('a message lands in every workspace that takes the type, by the mapping of each', async () => {
  const [first, second, other] = await Promise.all([newWorkspace(), newWorkspace(), newWorkspace()]);
  const renamed = {
    type: 'company',
    kind: 'entity',
    entity_type: 'account',
    name_field: 'hq',
    field_map: { name: 'title' },
  } as const;
  const fanOut = await newBridge([], {
    workspaces: [
      { workspace_id: first, resources },
      { workspace_id: second, resources: [renamed] },
      { workspace_id: other, resources: [resources[1] ?? renamed] },
    ],
  });
  expect(await sync(fanOut, push('company', '7', { name: 'Acme', hq: 'Berlin', noise: 1 }))).toBe(2);
  expect(await allEntities(first)).toMatchObject([
    { type: 'company', name: 'Acme', fields: { name: 'Acme', city: 'Berlin' } },
  ]);
  expect(await allEntities(second)).toMatchObject([
    { type: 'account', name: 'Berlin', fields: { title: 'Acme' } },
  ]);
  expect(await allEntities(other)).toEqual([]);
});

test('workspaces that are suspended, deleted, unknown or lack the feature are passed over', async () => {
  const closed = [
    await newWorkspace({ status: 'suspended' }),
    await newWorkspace({ status: 'deleted' }),
    await newWorkspace({ features: [] }),
    newId(),
  ];
  const mixed = await newBridge([...closed, await newWorkspace()]);
  expect(await sync(mixed, valid)).toBe(1);
  for (const id of closed) expect(await allEntities(id)).toEqual([]);
});

test('one failing workspace does not stop the others, and the repeat is harmless', async () => {
  const [good, bad] = [await newWorkspace(), await newWorkspace()];
  const both = await newBridge([bad, good]);
  const failing: typeof embed = async (records) => {
    if (records.some(({ workspace_id }) => workspace_id === bad)) throw new Error('out of order');
    return embed(records);
  };
  await refused(sync(both, valid, { embed: failing }), 'internal_error');
  expect(await allEntities(good)).toHaveLength(1);
  expect(await sync(both, valid)).toBe(2);
  expect([await allEntities(good), await allEntities(bad)].map((list) => list.length)).toEqual([1, 1]);
});

test('a workspace that cannot be reached is an outage, unless another one fails by itself (rules.md: sync 14)', async () => {
  const [away, broken] = [await newWorkspace(), await newWorkspace()];
  const failing: typeof embed = async (records) => {
    if (records.some(({ workspace_id }) => workspace_id === away)) throw new ServiceTrouble('away');
    throw new Error('out of order');
  };
  await refused(sync(await newBridge([away]), valid, { embed: failing }), 'service_unavailable');
  await refused(sync(await newBridge([away, broken]), valid, { embed: failing }), 'internal_error');
});

test.each([
  ['a number beyond 2^53', 1e300],
  ['nesting beyond what the table keeps', JSON.parse('['.repeat(40) + ']'.repeat(40))],
  ['a text larger than an item', 'x'.repeat(500_000)],
])('a mapped field with %s is a wrong payload, an unmapped one is ignored', async (_, value) => {
  await refused(sync(bridge, push('company', '8', { hq: value })), 'invalid_payload');
  expect(await sync(bridge, push('company', '8', { unmapped: value }))).toBe(1);
});

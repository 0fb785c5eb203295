// rules.md: resolve. References to records, as a client resolves them.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import { bridgeFor, push, send } from '../support/sync-sender.ts';

const UNKNOWN = '0b2a4c6e-0000-4000-8000-000000000001';

let home: given.Home;
let records: { id: string; name: string; type: string }[];
beforeAll(async () => {
  home = await given.workspace();
  records = await given.companies(home.workspace_id);
});

const get = (path: string, as: Pick<given.Home, 'key'> = home) => call('GET', path, { key: as.key });
const resolve = (refs: unknown, as: Pick<given.Home, 'key'> = home) =>
  get(
    `/entities/resolve?refs=${encodeURIComponent(typeof refs === 'string' ? refs : JSON.stringify(refs))}`,
    as,
  );

test('the three shapes find the record; the reference is echoed as sent', async () => {
  const [acme] = records;
  const refs = [
    { id: acme?.id },
    { id: acme?.id.toUpperCase() },
    { external_uri: 'crm:acme' },
    { external_id: 'A1', source: 'custom' },
  ];
  const reply = await resolve(refs);
  expect(reply.status).toBe(200);
  const found = { resolved: true, entity_id: acme?.id, entity_name: 'Acme', entity_type: 'company' };
  expect(reply.body).toEqual({ results: refs.map((ref) => ({ ref, ...found })) });
});

test('an unknown one is an item with an error, in its place', async () => {
  const unknown = [{ id: UNKNOWN }, { external_uri: 'crm:nobody' }, { external_id: 'A1', source: 'vault' }];
  const { results } = (await resolve([...unknown, { id: records[1]?.id }])).body;
  expect(results.map(({ resolved }: { resolved: boolean }) => resolved)).toEqual([false, false, false, true]);
  expect(results[0]).toEqual({
    ref: unknown[0],
    resolved: false,
    error: { code: 'entity_not_resolvable', message: expect.any(String) },
  });
});

test('a reference that several records answer to is not resolvable', async () => {
  const own = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
  // An import makes no second record of a name, but each bridge has records of its own.
  for (const name of ['One', 'Two'])
    await send(await bridgeFor(own.workspace_id), push('company', 'same', { name }));
  const refs = [{ external_uri: 'company:same' }, { external_id: 'same', source: 'custom' }];
  const { results } = (await resolve(refs, own)).body;
  expect(results.map(({ resolved }: { resolved: boolean }) => resolved)).toEqual([false, false]);
});

test('a foreign record is not resolvable', async () => {
  const foreign = await given.workspace();
  const refs = [{ id: records[0]?.id }, { external_uri: 'crm:acme' }];
  for (const result of (await resolve(refs, foreign)).body.results) expect(result.resolved).toBe(false);
});

test('100 references are answered, 101 refused', async () => {
  const refs = (count: number) => Array.from({ length: count }, (_, i) => ({ external_uri: `x:${i}` }));
  expect((await resolve(refs(100))).body.results).toHaveLength(100);
  expectRefusal(await resolve(refs(101)), 422, 'schema_validation_failed', { param: 'refs' });
});

test.each([
  ['URI', { external_uri: `x:${'é'.repeat(998)}` }],
  ['id', { external_id: '😀'.repeat(500), source: 'custom' }],
])('an external %s of the greatest length is looked up, in any script', async (_what, ref) => {
  const reply = await resolve([ref]);
  expect([reply.status, reply.body.results?.[0]?.resolved]).toEqual([200, false]);
});

test('without refs: missing_required_field', async () => {
  expectRefusal(await get('/entities/resolve'), 422, 'missing_required_field', { param: 'refs' });
});

test.each(['', 'acme', '{}', 'null', '"x"', '[]', '[', '[1]]'])('refs=%s is refused', async (refs) => {
  expectRefusal(await resolve(refs), 422, 'schema_validation_failed', { param: 'refs' });
});

test.each([
  ['{}'],
  ['null'],
  ['7'],
  ['[]'],
  ['{"id":"acme"}'],
  ['{"id":7}'],
  ['{"external_uri":"acme"}'],
  ['{"external_uri":"x:y\\ud800"}'],
  ['{"external_id":"A1"}'],
  ['{"external_id":"","source":"custom"}'],
  ['{"external_id":"A1","source":"sap"}'],
  [`{"id":"${UNKNOWN}","external_uri":"x:y"}`],
  [`{"id":"${UNKNOWN}","x":1}`],
  [`{"id":"${UNKNOWN}","__proto__":{"a":1}}`],
])('a reference %s is refused by its place', async (ref) => {
  const reply = await resolve(`[{"external_uri":"x:y"},${ref}]`);
  expectRefusal(reply, 422, 'schema_validation_failed', { param: 'refs.1' });
});

test('sent twice, refs are refused', async () => {
  const reply = await get('/entities/resolve?refs=%5B%5D&refs=%5B%5D');
  expectRefusal(reply, 422, 'schema_validation_failed', { param: 'refs' });
});

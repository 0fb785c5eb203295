// rules.md: entities 8 to entities 11, audit 3, monitors 8. Records change and go by the API.
import { describe, expect, test } from 'vitest';
import type { EntityLine } from '../../functions/contract/entities.ts';
import * as given from '../support/given.ts';
import { fireThat, monitor } from '../support/monitors.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const NOBODY = '0b2a4c6e-0000-4000-8000-000000000001';
const changes = (by: given.Caller, id: string, body: unknown) =>
  call('PATCH', `/entities/${id}`, { key: by.key, body });
const deletes = (by: given.Caller, id: string) => call('DELETE', `/entities/${id}`, { key: by.key });
const deletesMany = (by: given.Caller, body: unknown) =>
  call('POST', '/entities/delete', { key: by.key, body });
const reads = (by: given.Caller, id: string) => call('GET', `/entities/${id}`, { key: by.key });

const order = (n: number, more: Partial<EntityLine> = {}): EntityLine => ({
  type: 'order',
  name: `Order ${n}`,
  fields: { n },
  ...more,
});
/** A workspace with orders 0 to 4, and their ids. */
async function withOrders(): Promise<{ home: given.Home; ids: string[] }> {
  const home = await given.workspace();
  const lines = Array.from({ length: 5 }, (_, n) => order(n, { external_uri: `shop:${n}` }));
  return { home, ids: (await given.entities(home.workspace_id, lines)).map(({ id }) => id) };
}
const rowsOf = async (home: given.Home, steps: Record<string, unknown>[]) => {
  const { body } = await when.createsPlanRun(home, [...steps, when.answer]);
  const { artifacts } = await then.ended(home, body.id);
  const { id } = artifacts.find(({ kind }: { kind: string }) => kind === 'table');
  return (await call('GET', `/artifacts/${id}`, { key: home.key })).body.rows;
};
const orders = async (home: given.Home): Promise<unknown[]> =>
  (await rowsOf(home, [{ kind: 'fetch', params: { source: 'order', sort: [{ field: 'n' }] } }])).map(
    ({ n }: { n: unknown }) => n,
  );
const audited = async (home: given.Home) =>
  (await call('GET', '/audit', { key: home.key })).body.data.filter(({ action }: { action: string }) =>
    /^entity\.(update|delete)$/.test(action),
  );

describe('PATCH /entities/{id}', () => {
  test('changes what it names: fields are merged, null takes one away, and the next run has it', async () => {
    const { home, ids } = await withOrders();
    const [id = ''] = ids;
    const { status, body } = await changes(home, id, {
      name: 'First',
      fields: { n: 9, note: 'late', gone: null },
    });
    expect(status).toBe(200);
    expect(body).toEqual((await reads(home, id)).body);
    expect(body).toMatchObject({ id, name: 'First', fields: { n: 9, note: 'late' }, external_uri: 'shop:0' });
    expect(await orders(home)).toEqual([1, 2, 3, 4, 9]);
    expect((await changes(home, id, { fields: { n: null } })).body.fields).toEqual({ note: 'late' });
    expect(await orders(home)).toEqual([1, 2, 3, 4, null]);
    expect((await call('GET', '/entities?query=first', { key: home.key })).body.data).toHaveLength(1);
  });

  test('its URI is changed, taken away, and refused where another record has it', async () => {
    const { home, ids } = await withOrders();
    const [first = '', second = ''] = ids;
    expectRefusal(await changes(home, first, { external_uri: 'shop:1' }), 409, 'external_uri_taken', {
      param: 'external_uri',
    });
    expect((await changes(home, second, { external_uri: null })).body).not.toHaveProperty('external_uri');
    expect((await changes(home, first, { external_uri: 'shop:1' })).body.external_uri).toBe('shop:1');
    const refs = encodeURIComponent(JSON.stringify([{ external_uri: 'shop:1' }, { external_uri: 'shop:0' }]));
    const { results } = (await call('GET', `/entities/resolve?refs=${refs}`, { key: home.key })).body;
    expect(results).toMatchObject([{ entity_id: first }, { resolved: false }]);
    await deletes(home, first);
    expect((await changes(home, second, { external_uri: 'shop:1' })).status).toBe(200);
  });

  test('of many that take one URI at once, one gets it', async () => {
    const { home, ids } = await withOrders();
    const replies = await Promise.all(ids.map((id) => changes(home, id, { external_uri: 'shop:new' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  test('no change is lost when many come at once', async () => {
    const { home, ids } = await withOrders();
    const [id = ''] = ids;
    const fields = Array.from({ length: 8 }, (_, i) => ({ [`f${i}`]: i }));
    await Promise.all(fields.map((one) => changes(home, id, { fields: one })));
    expect((await reads(home, id)).body.fields).toEqual(Object.assign({ n: 0 }, ...fields));
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ fields: [] }, 'fields'],
    [{ external_uri: 'shop' }, 'external_uri'],
    [{ type: 'invoice' }, 'type'],
    [{ fields: { text: 'é'.repeat(180_000) } }, 'fields'],
  ])('a body that names something else, or what cannot be stored, is refused (%#)', async (body, param) => {
    const { home, ids } = await withOrders();
    expectRefusal(await changes(home, ids[0] ?? '', body), 422, 'schema_validation_failed', { param });
  });

  test('a change is audited, and one that changes nothing is not', async () => {
    const { home, ids } = await withOrders();
    const [id = ''] = ids;
    const before = (await reads(home, id)).body;
    expect((await changes(home, id, {})).body).toEqual(before);
    expect((await changes(home, id, { name: before.name, fields: { n: 0 } })).body).toEqual(before);
    expect(await audited(home)).toEqual([]);
    await changes(home, id, { fields: { secret: 'of the customer' } });
    const [entry] = await audited(home);
    expect(entry).toMatchObject({ actor: home.key_id, action: 'entity.update', target: id, count: 1 });
    expect(JSON.stringify(entry)).not.toContain('customer');
  });
});

describe('DELETE /entities/{id}', () => {
  test('takes the record, its names and its relationships away; again it is not found', async () => {
    const { home, ids } = await withOrders();
    const [first = '', second = ''] = ids;
    const link = (from: string, to: string) => ({
      from: { id: from },
      to: { id: to },
      type: 'follows',
      metadata: {},
    });
    const relationships = [link(first, second), link(second, first), link(second, ids[2] ?? '')];
    await admin({ command: 'relationship.import', workspace_id: home.workspace_id, relationships });
    expect((await deletes(home, first)).status).toBe(204);
    expectRefusal(await deletes(home, first), 404, 'entity_not_found');
    expectRefusal(await reads(home, first), 404, 'entity_not_found');
    expect(await orders(home)).toEqual([1, 2, 3, 4]);
    expect((await reads(home, second)).body.relationships).toMatchObject([
      { direction: 'out', entity_id: ids[2] },
    ]);
    const linked = await rowsOf(home, [{ kind: 'fetch', params: { source: 'relationships' } }]);
    expect(linked).toHaveLength(1);
    // It does not come back with them either.
    await given.entities(home.workspace_id, [order(0, { id: first })]);
    expect((await reads(home, first)).body.relationships).toEqual([]);
    expect(await audited(home)).toMatchObject([{ action: 'entity.delete', target: first, count: 1 }]);
  });

  test('what its URI named is a new record when it is imported again', async () => {
    const { home, ids } = await withOrders();
    await deletes(home, ids[0] ?? '');
    const again = { records: [order(0, { external_uri: 'shop:0' })] };
    expect((await call('POST', '/entities/import', { key: home.key, body: again })).body.created).toBe(1);
    expect(await orders(home)).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('POST /entities/delete', () => {
  test.each<[string, (ids: string[]) => object, number[]]>([
    ['type', () => ({ type: 'order' }), []],
    ['where', () => ({ where: { field: 'n', op: '>', value: 2 } }), [0, 1, 2]],
    ['ids', (ids) => ({ ids: [ids[0], ids[0]?.toUpperCase(), ids[4], NOBODY] }), [1, 2, 3]],
    ['ids and where', (ids) => ({ ids, where: { field: 'n', op: '<', value: 1 } }), [1, 2, 3, 4]],
    ['another type and ids', (ids) => ({ ids, type: 'invoice' }), [0, 1, 2, 3, 4]],
  ])('deletes what meets %s', async (_, body, left) => {
    const { home, ids } = await withOrders();
    const reply = await deletesMany(home, body(ids));
    expect([reply.status, reply.body]).toEqual([202, { deleted: 5 - left.length, has_more: false }]);
    expect(await orders(home)).toEqual(left);
    const entries = await audited(home);
    expect(entries).toEqual(
      left.length === 5
        ? []
        : [expect.objectContaining({ action: 'entity.delete', target: '*', count: 5 - left.length })],
    );
  });

  test('at most 1,000 a call, and says whether there are more', async () => {
    const home = await given.workspace();
    await given.entities(
      home.workspace_id,
      Array.from({ length: 1203 }, (_, n) => order(n)),
    );
    const all = { type: 'order' };
    expect((await deletesMany(home, all)).body).toEqual({ deleted: 1000, has_more: true });
    expect(await audited(home)).toMatchObject([{ count: 1000 }]);
    expect((await deletesMany(home, all)).body).toEqual({ deleted: 203, has_more: false });
    expect((await deletesMany(home, all)).body).toEqual({ deleted: 0, has_more: false });
    expect((await call('GET', '/entities/types', { key: home.key })).body.data).toEqual([]);
  });

  test.each([
    [{}, undefined],
    [{ ids: [] }, 'ids'],
    [{ ids: ['1'] }, 'ids.0'],
    [{ ids: Array(1001).fill(NOBODY) }, 'ids'],
    [{ where: { field: 'n', op: '~', value: 1 } }, 'where.op'],
    [{ type: '' }, 'type'],
    [{ all: true }, 'all'],
  ])('refuses what names no records, or not well (%#)', async (body, param) => {
    const { home } = await withOrders();
    expectRefusal(
      await deletesMany(home, body),
      422,
      'schema_validation_failed',
      param === undefined ? {} : { param },
    );
    expect(await orders(home)).toHaveLength(5);
  });
});

test('the records of another workspace are not found, and stay', async () => {
  const { home, ids } = await withOrders();
  const other = await given.workspace();
  expectRefusal(await changes(other, ids[0] ?? '', { name: 'Mine' }), 404, 'entity_not_found');
  expectRefusal(await deletes(other, ids[0] ?? ''), 404, 'entity_not_found');
  expect((await deletesMany(other, { ids })).body).toEqual({ deleted: 0, has_more: false });
  for (const id of ['1', '%00', NOBODY]) {
    expectRefusal(await changes(home, id, { name: 'x' }), 404, 'entity_not_found');
    expectRefusal(await deletes(home, id), 404, 'entity_not_found');
  }
  expect(await orders(home)).toHaveLength(5);
});

test('each needs records:write', async () => {
  const { home, ids } = await withOrders();
  const reader = await given.key(home.workspace_id, ['runs:read', 'runs:delete']);
  const required = { details: { required_scope: 'records:write' } };
  expectRefusal(await changes(reader, ids[0] ?? '', { name: 'x' }), 403, 'forbidden_feature', required);
  expectRefusal(await deletes(reader, ids[0] ?? ''), 403, 'forbidden_feature', required);
  expectRefusal(await deletesMany(reader, { ids }), 403, 'forbidden_feature', required);
});

test('an import, a change and a deletion mark the monitors that watch the records', async () => {
  const { home, ids } = await withOrders();
  const on = { change: { types: ['order'], where: { field: 'n', op: '<', value: 2 }, settle_seconds: 1 } };
  const firesAfter = async (act: () => Promise<unknown>) => {
    const { id } = await monitor(home, { on });
    await act();
    const fire = await fireThat(home, id, ({ cause }) => cause === 'change');
    await call('DELETE', `/monitors/${id}`, { key: home.key });
    return fire;
  };
  const made = { records: [order(0, { external_uri: 'shop:new' })] };
  await firesAfter(() => call('POST', '/entities/import', { key: home.key, body: made }));
  await firesAfter(() => changes(home, ids[1] ?? '', { fields: { n: 10 } }));
  await firesAfter(() => deletes(home, ids[0] ?? ''));
  await firesAfter(() => deletesMany(home, { type: 'order' }));
});

// rules.md: entities 7, entities 8, entities 11, audit 3. Records come in by the API.
import { describe, expect, test } from 'vitest';
import type { EntityLine } from '../../functions/contract/entities.ts';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const imports = (home: given.Caller, records: unknown, more: object = {}) =>
  call('POST', '/entities/import', { key: home.key, body: { records, ...more } });
const takes = async (home: given.Caller, records: unknown, more: object = {}) => {
  const { status, body } = await imports(home, records, more);
  expect(status).toBe(200);
  return body;
};
const order = (n: number, names: Partial<EntityLine> = {}): EntityLine => ({
  type: 'order',
  name: `Order ${n}`,
  fields: { n },
  ...names,
});
/** The fields `n` of all orders, in a run created now. */
const orders = async (home: given.Home): Promise<number[]> => {
  const steps = [
    { kind: 'fetch', params: { source: 'order', sort: [{ field: 'n' }], limit: 10_000 } },
    { kind: 'reconstitute', params: { expected_artifacts: ['table'] } },
  ];
  const { body } = await when.createsPlanRun(home, steps);
  const { artifacts } = await then.ended(home, body.id);
  const table = await call('GET', `/artifacts/${artifacts[0].id}`, { key: home.key });
  return table.body.rows.map(({ n }: { n: number }) => n);
};

const named: [string, (n: number) => EntityLine][] = [
  ['an external_uri', (n) => order(n, { external_uri: `shop:${n}` })],
  ['an external_id with its source', (n) => order(n, { external_id: `${n}`, source: 'custom' })],
  ['no name of outside', (n) => order(n)],
  ['no name of outside, all alike', (n) => ({ ...order(n), name: 'Order' })],
];

describe('POST /entities/import', () => {
  test.each(named)(
    'lines with %s are records of the next run; sent again they are unchanged',
    async (_, line) => {
      const home = await given.workspace();
      const lines = [1, 2, 3].map(line);
      const counts = { imported: 3, created: 3, updated: 0, unchanged: 0, errors: [] };
      expect(await takes(home, lines)).toEqual(counts);
      expect(await orders(home)).toEqual([1, 2, 3]);
      expect(await takes(home, lines)).toEqual({ ...counts, created: 0, unchanged: 3 });
      const changed = lines.with(1, { ...line(2), fields: { n: 7 } });
      expect(await takes(home, changed)).toEqual({ ...counts, created: 0, updated: 1, unchanged: 2 });
      expect(await orders(home)).toEqual([1, 3, 7]);
    },
  );

  test.each(named)(
    'the same lines with %s sent five times at once make each record once',
    async (_, line) => {
      const home = await given.workspace();
      const lines = Array.from({ length: 120 }, (_, n) => line(n));
      const answers = await Promise.all(Array.from({ length: 5 }, () => takes(home, lines)));
      expect(answers.map(({ imported }) => imported)).toEqual(Array(5).fill(120));
      expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(120);
      expect(await orders(home)).toEqual(lines.map((_, n) => n));
    },
  );

  test('wrong lines are named with their place and left out; the others are taken', async () => {
    const home = await given.workspace();
    await takes(home, [
      order(1, { external_id: '1', source: 'custom' }),
      order(2, { external_uri: 'shop:2' }),
    ]);
    const wrong: [unknown, string, string][] = [
      [{ type: 'order' }, 'name', 'missing'],
      [{ ...order(3), colour: 'red' }, 'colour', 'colour'],
      [{ ...order(3), external_uri: 'shop' }, 'external_uri', 'scheme:path'],
      [{ ...order(3), fields: [] }, 'fields', 'object'],
      ['a text', '', 'object'],
      [{ ...order(3), fields: { size: { in: ['\ud800'] } } }, 'fields', 'Unicode'],
      [
        { ...order(3, { external_id: '1', source: 'custom', external_uri: 'shop:2' }) },
        'external_uri',
        'another',
      ],
      [{ ...order(3, { external_id: '1', source: 'custom' }), type: 'person' }, 'external_id', 'type order'],
    ];
    const lines = [...wrong.map(([line]) => line), order(4), { ...order(4), occurrence: 0 }];
    const answer = await takes(home, lines);
    expect(answer).toMatchObject({ imported: 1, created: 1 });
    expect(answer.errors).toEqual([
      ...wrong.map(([, path, words], index) => ({ index, path, message: expect.stringContaining(words) })),
      { index: 9, path: 'occurrence', message: expect.any(String) },
    ]);
    expect(await orders(home)).toEqual([1, 2, 4]);
  });

  test('a number that a double changes, and fields that nest too deep, are faults of their lines alone', async () => {
    const home = await given.workspace();
    const deep = `${'['.repeat(21)}1${']'.repeat(21)}`;
    const line = (fields: string) => `{"type":"order","name":"Order","fields":${fields}}`;
    const body = `{"records":[${line('{"size":{"mm":12345678901234567890}}')},${line(`{"deep":${deep}}`)},${line('{"n":1}')}]}`;
    const { body: answer } = await call('POST', '/entities/import', { key: home.key, body });
    expect(answer).toMatchObject({ imported: 1, created: 1 });
    expect(answer.errors).toEqual([
      { index: 0, path: 'fields.size.mm', message: expect.stringContaining('digits') },
      { index: 1, path: 'fields', message: expect.stringContaining('20 levels') },
    ]);
    expect(await orders(home)).toEqual([1]);
  });

  test('no line makes its error long', async () => {
    const home = await given.workspace();
    const { errors } = await takes(home, [{ ...order(1), ['k'.repeat(500_000)]: 1 }]);
    expect(JSON.stringify(errors).length).toBeLessThan(2000);
  });

  test.each([
    [{}, 'missing_required_field', 'records'],
    [{ records: [] }, 'schema_validation_failed', 'records'],
    [{ records: Array(1001).fill(order(1)) }, 'schema_validation_failed', 'records'],
    [{ records: {} }, 'schema_validation_failed', 'records'],
    [{ records: [order(1)], dry_run: 'yes' }, 'schema_validation_failed', 'dry_run'],
    [{ records: [order(1)], rows: 1 }, 'schema_validation_failed', 'rows'],
  ])('a request with something else than records and dry_run is refused (%#)', async (body, code, param) => {
    const home = await given.workspace();
    expectRefusal(await call('POST', '/entities/import', { key: home.key, body }), 422, code, { param });
    expect((await call('GET', '/entities', { key: home.key })).body.data).toEqual([]);
  });

  test('dry_run answers the same and writes nothing', async () => {
    const home = await given.workspace();
    await takes(home, [order(1, { external_uri: 'shop:1' })]);
    const lines = [order(5, { external_uri: 'shop:1' }), order(2), order(2), { type: 'order' }];
    const before = (await call('GET', '/audit', { key: home.key })).body.data.length;
    const dry = await takes(home, lines, { dry_run: true });
    expect(dry).toMatchObject({ imported: 3, created: 2, updated: 1, errors: [{ index: 3, path: 'name' }] });
    expect(await orders(home)).toEqual([1]);
    expect((await call('GET', '/audit', { key: home.key })).body.data).toHaveLength(before);
    expect(await takes(home, lines, { dry_run: false })).toEqual(dry);
    expect(await orders(home)).toEqual([2, 2, 5]);
  });

  test('twins stay twins: the n-th line without names is the n-th such record, or the one that it says', async () => {
    const home = await given.workspace();
    const twin = (n: number, more: object = {}) => ({ type: 'order', name: 'Twin', fields: { n }, ...more });
    expect(await takes(home, [twin(1), twin(2), twin(3)])).toMatchObject({ created: 3 });
    expect(await takes(home, [twin(1), twin(20)])).toMatchObject({ updated: 1, unchanged: 1 });
    expect(await takes(home, [twin(30, { occurrence: 3 })])).toMatchObject({ updated: 1 });
    expect(await orders(home)).toEqual([1, 20, 30]);
    expect(await takes(home, [twin(4, { external_uri: 'shop:4' })])).toMatchObject({ created: 1 });
    expect(await takes(home, [twin(1), twin(20), twin(30), twin(5)])).toMatchObject({
      created: 1,
      unchanged: 3,
    });
  });

  test('a record gets the fields of its line in place of its own, and keeps what the line lacks', async () => {
    const home = await given.workspace();
    const names = { external_uri: 'shop:1', external_id: '1', source: 'custom' as const };
    await takes(home, [{ ...order(1, names), fields: { n: 1, paid: true } }]);
    await takes(home, [order(2, { external_id: '1', source: 'custom', name: 'Renamed' })]);
    const { body } = await call('GET', '/entities?query=renamed', { key: home.key });
    const record = async () =>
      (await call('GET', `/entities/${body.data[0].entity_id}`, { key: home.key })).body;
    expect(await record()).toMatchObject({ ...names, fields: { n: 2 } });
    await takes(home, [{ type: 'order', name: 'Again', external_uri: 'shop:1' }]);
    expect(await record()).toMatchObject({ ...names, name: 'Again', fields: { n: 2 } });
  });

  test('an import of a file and one by the API know each other by the same rule', async () => {
    const home = await given.workspace();
    const lines = [order(1), order(2, { external_uri: 'shop:2' }), order(2), order(2)];
    await given.entities(home.workspace_id, lines);
    expect(await takes(home, lines)).toMatchObject({ unchanged: 4 });
    await takes(home, [order(3)]);
    await given.entities(home.workspace_id, [order(3)]);
    expect(await orders(home)).toEqual([1, 2, 2, 2, 3]);
  });

  test('the record of another workspace is neither read nor changed', async () => {
    const [home, other] = [await given.workspace(), await given.workspace()];
    const [theirs] = await given.entities(other.workspace_id, [order(1, { external_uri: 'shop:1' })]);
    expect(await takes(home, [order(2, { id: theirs?.id ?? '' })])).toMatchObject({ created: 1 });
    expect(await takes(home, [order(3, { external_uri: 'shop:1' })])).toMatchObject({ created: 1 });
    expect([await orders(home), await orders(other)]).toEqual([[2, 3], [1]]);
  });

  test('a key needs records:write; the audit has one entry a request, with a count and no contents', async () => {
    const home = await given.workspace({ credits: 1000 });
    const reader = await given.key(home.workspace_id, ['runs:create', 'runs:read', 'keys:manage']);
    expectRefusal(await imports(reader, [order(1)]), 403, 'forbidden_feature', {
      details: { required_scope: 'records:write' },
    });
    const writer = await given.key(home.workspace_id, ['records:write']);
    await takes(writer, [order(1), order(2), order(3)]);
    await takes(writer, [order(1), order(2), order(3)]);
    const { data } = (await call('GET', '/audit', { key: home.key })).body;
    const told = data.filter(({ action }: { action: string }) => action === 'entity.import');
    expect(told).toEqual([
      {
        at: expect.any(Number),
        actor: writer.key_id,
        action: 'entity.import',
        target: '*',
        count: 3,
        request_id: expect.any(String),
      },
    ]);
    const { workspace } = (await call('GET', '/me', { key: home.key })).body;
    expect(workspace).toMatchObject({ credits_left: 1000, credits_held: 0 });
  });
});

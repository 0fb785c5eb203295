// rules.md: records 14, records 2. Fields that no record has, and the paths that `fields` takes.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.entities(home.workspace_id, [
    {
      ...{ type: 'order', name: 'O1', external_uri: 'shop:1' },
      fields: {
        total: 5,
        shipping: { city: 'Oslo', zip: '1' },
        tags: ['a', 'b'],
        type: 'gift',
        'a.b': 1,
        a: { b: 2 },
      },
    },
    { type: 'order', name: 'O2', fields: { total: 7, tags: [] } },
    { type: 'customer', name: 'C1', fields: { email: 'c@example.org' } },
  ]);
});

/** The run of a fetch of orders with these params. */
async function run(params: object, kind = 'fetch') {
  const step = { kind, params: { source: 'orders', ...params } };
  const { body } = await when.createsPlanRun(home, [
    step,
    { kind: 'reconstitute', params: { expected_artifacts: ['table'] } },
  ]);
  return then.ended(home, body.id);
}

const missingIn = (ended: {
  warnings: { code: string; step_index?: number; details?: { fields?: object[] } }[];
}) =>
  ended.warnings
    .filter(({ code }) => code === 'field_not_found')
    .map(({ step_index, details }) => ({ step_index, ...details }));

describe('field_not_found', () => {
  test.each<[string, object]>([
    ['where', { where: { not: { or: [{ field: 'totl', op: '>', value: 1 }] } } }],
    ['sort', { sort: [{ field: 'totl' }] }],
    ['group_by', { group_by: ['totl'] }],
    ['measures', { measures: [{ as: 's', op: 'sum', field: 'totl' }] }],
    ['fields', { fields: ['total', 'totl'] }],
  ])('names the field in %s, with the nearest one; the step continues', async (_, params) => {
    const ended = await run(params);
    expect(ended.status).toBe('succeeded');
    expect(missingIn(ended)).toEqual([{ step_index: 0, fields: [{ field: 'totl', nearest: 'total' }] }]);
  });

  test('is one for a step, and has no nearest name where none is near', async () => {
    const where = { and: ['city', 'zzzzzz', 'city'].map((field) => ({ field, op: 'exists', value: true })) };
    expect(missingIn(await run({ where, fields: ['shipping.zip', 'shiping.zip'] }))).toEqual([
      {
        step_index: 0,
        fields: [
          { field: 'city', nearest: 'shipping.city' },
          { field: 'zzzzzz' },
          { field: 'shiping.zip', nearest: 'shipping.zip' },
        ],
      },
    ]);
  });

  test('is about the types that are read: a field of another type is missing', async () => {
    expect(missingIn(await run({ fields: ['email'] }))).toMatchObject([{ fields: [{ field: 'email' }] }]);
    expect(missingIn(await run({ source: 'entities', fields: ['email'] }))).toEqual([]);
  });

  test('comes from a vector search too', async () => {
    const where = { field: 'totl', op: '=', value: 5 };
    expect(missingIn(await run({ query: 'x', where }, 'vector_search'))).toMatchObject([
      { fields: [{ field: 'totl' }] },
    ]);
  });

  test('is not there for attributes, for measures that sort groups, nor where no record of the types exists', async () => {
    const groups = {
      group_by: ['tags'],
      measures: [{ as: 'n', op: 'count' }],
      sort: [{ field: 'n', direction: 'desc' }],
      where: { field: 'created_at', op: '>', value: 0 },
    };
    expect(missingIn(await run(groups))).toEqual([]);
    expect(missingIn(await run({ source: 'entities', entity_types: ['none'], fields: ['totl'] }))).toEqual(
      [],
    );
    const unknown = await run({ source: 'nones', fields: ['totl'] });
    expect(unknown.warnings.map(({ code }: { code: string }) => code)).toEqual(['source_not_found']);
  });
});

test('`fields` takes paths as conditions do, and names the columns as sent', async () => {
  const sort = [{ field: 'name' }];
  const fields = ['shipping.city', 'tags', 'fields.type', 'type', 'external_uri', 'a.b', 'name'];
  const ended = await run({ fields, sort });
  const { body } = await call('GET', `/artifacts/${ended.artifacts[0].id}`, { key: home.key });
  expect(body.columns).toEqual([
    'name',
    'shipping.city',
    'tags',
    'fields.type',
    'type',
    'external_uri',
    'a.b',
  ]);
  const [first, second] = body.rows;
  expect(first).toMatchObject({
    ...{ 'shipping.city': 'Oslo', tags: ['a', 'b'], 'fields.type': 'gift', type: 'order' },
    ...{ external_uri: 'shop:1', 'a.b': 1 },
  });
  expect(second).toMatchObject({ 'shipping.city': null, tags: [], type: 'order' });
});

// Groups and measures over records, through the API (rules.md: records).
import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../functions/contract/json.ts';
import * as given from '../support/given.ts';
import { fetchedBy, groupsOf } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusal.ts';
import * as then from '../support/then.ts';
import { createsPlanRun } from '../support/when.ts';

let shops: given.Home;
const rows = (params: Record<string, unknown>) => fetchedBy(shops, { source: 'shops', ...params });
beforeAll(async () => {
  shops = await given.workspace();
  const shop = (name: string, fields: JsonObject) => ({ type: 'shop', name, fields });
  await given.entities(shops.workspace_id, [
    shop('1', { city: 'Oslo', sells: ['tea', 'ink', 'tea'], sales: 10, open: true }),
    shop('2', { city: 'Oslo', sells: ['tea'], sales: 20, open: false }),
    shop('3', { city: 'Rome', sells: [], sales: 'many', open: true }),
    shop('4', { city: 'Rome', sells: ['ink'], sales: 5.5, open: true }),
    shop('5', { sells: 'ink', sales: null }),
    shop('6', { city: 5, sales: 1 }),
    shop('7', { city: '5' }),
  ]);
});

test('are counted by default, the largest first, ties by name', async () => {
  const outcome = await rows({ group_by: ['city'] });
  expect(outcome.columns).toEqual(['name', 'city', 'count']);
  expect(outcome.names).toEqual(['Oslo', 'Rome', '(none)', '5', '5']);
  expect(groupsOf(outcome).slice(0, 3)).toEqual([
    { city: 'Oslo', count: 2 },
    { city: 'Rome', count: 2 },
    { city: null, count: 1 },
  ]);
  expect(groupsOf(outcome).slice(3)).toEqual(
    expect.arrayContaining([
      { city: 5, count: 1 },
      { city: '5', count: 1 },
    ]),
  );
  expect(JSON.stringify(outcome.rows)).not.toContain('entity=');
  expect(outcome.truncated).toBeUndefined();
});

test('measures follow the contract, and are absent without values', async () => {
  const measures = [
    { as: 'all', op: 'count' },
    { as: 'priced', op: 'count', field: 'sales' },
    { as: 'total', op: 'sum', field: 'sales' },
    { as: 'mean', op: 'avg', field: 'sales' },
    { as: 'least', op: 'min', field: 'sales' },
    { as: 'most', op: 'max', field: 'sales' },
    { as: 'last', op: 'max', field: 'city' },
  ];
  const sort = [{ field: 'city' }];
  expect(groupsOf(await rows({ group_by: ['city'], measures, sort }))).toEqual([
    { city: 5, all: 1, priced: 1, total: 1, mean: 1, least: 1, most: 1, last: 5 },
    { city: '5', all: 1, priced: 0, total: null, mean: null, least: null, most: null, last: '5' },
    { city: 'Oslo', all: 2, priced: 2, total: 30, mean: 15, least: 10, most: 20, last: 'Oslo' },
    { city: 'Rome', all: 2, priced: 2, total: 5.5, mean: 5.5, least: 5.5, most: 5.5, last: 'Rome' },
    { city: null, all: 1, priced: 0, total: null, mean: null, least: null, most: null, last: null },
  ]);
});

test('a list counts once under each different element, an empty one as absent', async () => {
  expect(groupsOf(await rows({ group_by: ['sells'] }))).toEqual([
    { sells: null, count: 3 },
    { sells: 'ink', count: 3 },
    { sells: 'tea', count: 2 },
  ]);
});

test('several fields join their values', async () => {
  const where = { field: 'city', op: 'in', value: ['Oslo', 'Rome'] };
  const outcome = await rows({ group_by: ['city', 'open'], where });
  expect(outcome.names).toEqual(['Rome / true', 'Oslo / false', 'Oslo / true']);
  expect(outcome.rows[0]).toEqual({ name: 'Rome / true', city: 'Rome', open: true, count: 2 });
});

test('sort may name a measure; limit and matched count groups; fields has no effect', async () => {
  const measures = [{ as: 'total', op: 'sum', field: 'sales' }];
  const sort = [{ field: 'total', direction: 'asc' }];
  const outcome = await rows({ group_by: ['fields.city'], measures, sort, limit: 2, fields: ['open'] });
  expect(groupsOf(outcome)).toEqual([
    { 'fields.city': 5, total: 1 },
    { 'fields.city': 'Rome', total: 5.5 },
  ]);
  expect(outcome.truncated).toEqual({ matched: 5, returned: 2 });
  const newest = await rows({
    group_by: ['city'],
    sort: [{ field: 'fields.city', direction: 'desc' }],
    limit: 1,
  });
  expect(newest.names).toEqual(['Rome']);
});

test('measures without group_by make one group of all, also of none', async () => {
  const measures = [
    { as: 'n', op: 'count' },
    { as: 'total', op: 'sum', field: 'sales' },
  ];
  expect(groupsOf(await rows({ measures }))).toEqual([{ n: 7, total: 36.5 }]);
  const where = { field: 'city', op: '=', value: 'Nowhere' };
  const none = await rows({ measures, where });
  expect(none.rows).toMatchObject([{ n: 0 }]);
  expect(none.columns).toEqual(['name', 'n']);
  expect((await rows({ group_by: ['city'], where })).rows).toEqual([]);
});

test('query and type select the records that are grouped', async () => {
  const outcome = await rows({
    source: 'entities',
    entity_types: ['shops'],
    query: 'rome',
    group_by: ['type'],
  });
  expect(groupsOf(outcome)).toEqual([{ type: 'shop', count: 2 }]);
});

test('a run that ends with groups describes them', async () => {
  const reply = await createsPlanRun(shops, [
    { kind: 'fetch', params: { source: 'shops', measures: [{ as: 'shops', op: 'count' }] } },
  ]);
  expect((await then.ended(shops, reply.body.id)).message).toContain('1 item: shops 7.');
});

const count = { as: 'n', op: 'count' };
test.each<[string, Record<string, unknown>, string]>([
  ['no field', { group_by: [] }, 'group_by'],
  ['four fields', { group_by: ['a', 'b', 'c', 'd'] }, 'group_by'],
  ['a field of no name', { group_by: ['a', ''] }, 'group_by.1'],
  ['a field that is grouped twice', { group_by: ['a', 'a'] }, 'group_by.1'],
  ['a field that is grouped twice in two spellings', { group_by: ['fields.a', 'b', 'a'] }, 'group_by.2'],
  [
    'eleven measures',
    { measures: Array.from({ length: 11 }, (_, i) => ({ ...count, as: `m${i}` })) },
    'measures',
  ],
  ['a sum of nothing named', { measures: [{ as: 'm', op: 'sum' }] }, 'measures.0.field'],
  ['another operation', { measures: [{ as: 'm', op: 'median', field: 'a' }] }, 'measures.0.op'],
  ['a measure of no name', { measures: [{ as: '', op: 'count' }] }, 'measures.0.as'],
  ['a name used twice', { measures: [count, { as: 'm', op: 'count' }, count] }, 'measures.2.as'],
  ['the name of a grouped field', { group_by: ['n'], measures: [count] }, 'measures.0.as'],
  ['a grouped field that the default measure would hide', { group_by: ['a', 'count'] }, 'group_by.1'],
  ['a sort by another field', { group_by: ['a'], sort: [{ field: 'a' }, { field: 'b' }] }, 'sort.1.field'],
  [
    'a sort by a measure that is not asked for',
    { measures: [count], sort: [{ field: 'count' }] },
    'sort.0.field',
  ],
])('%s is refused by its place', async (_, params, path) => {
  const reply = await createsPlanRun(shops, [{ kind: 'fetch', params }]);
  expectRefusal(reply, 422, 'schema_validation_failed', { param: `plan.steps.0.params.${path}` });
});

// fetch with group_by and measures (rules.md: records).
import { expect, test } from 'vitest';
import { fetch } from '#steps/fetch-step.ts';
import { entity, sourcesOver } from '../sources/memory-readers.ts';
import { contextOf, type Given } from './fake-context.ts';

const given: Given = {
  sources: sourcesOver({
    entities: [
      entity('shop', 'One', { city: 'Oslo', sales: 1 }),
      entity('shop', 'Two', { city: 'Oslo', sales: Number.MAX_VALUE }),
      entity('shop', 'Three', { city: 'Rome', sales: Number.MAX_VALUE }),
      entity('shop', 'Four', { city: 'Rome', sales: Number.MAX_VALUE }),
      entity('shop', 'Five', {}),
    ],
  }),
};
const sum = { as: 'total', op: 'sum', field: 'sales' } as const;

test('a group is an item of its own kind whose id depends on the question and its values', async () => {
  const asked = async (params: object) =>
    (await fetch(contextOf('fetch', { group_by: ['city'], ...params }, given))).items;
  const items = await asked({});
  expect(items).toMatchObject([
    { kind: 'group', type: 'group', name: 'Oslo', fields: { city: 'Oslo', count: 2 } },
    { name: 'Rome', fields: { city: 'Rome', count: 2 } },
    { name: '(none)', fields: { count: 1 } },
  ]);
  expect(items?.[2]?.fields).not.toHaveProperty('city');
  expect(await asked({})).toEqual(items);
  expect(await asked({ limit: 1 })).toEqual(items?.slice(0, 1));
  const others = await asked({ source: 'shops' });
  expect(new Set([...(items ?? []), ...(others ?? [])].map(({ id }) => id)).size).toBe(6);
});

test('a sum beyond all numbers is absent', async () => {
  const { items } = await fetch(contextOf('fetch', { group_by: ['city'], measures: [sum] }, given));
  expect(items).toMatchObject([{ fields: { total: Number.MAX_VALUE } }, {}, {}]);
  expect(items?.map(({ fields }) => 'total' in fields)).toEqual([true, false, false]);
});

test('over the limit the groups are counted exactly', async () => {
  const context = contextOf('fetch', { group_by: ['name'], limit: 2 }, given);
  expect((await fetch(context)).items).toHaveLength(2);
  expect(context.warnings).toMatchObject([
    { code: 'results_truncated', details: { matched: 5, returned: 2 } },
  ]);
});

test('groups without measures are sorted by name', async () => {
  const { items } = await fetch(contextOf('fetch', { group_by: ['city'], measures: [] }, given));
  expect(items?.map(({ name }) => name)).toEqual(['(none)', 'Oslo', 'Rome']);
  const { items: all } = await fetch(contextOf('fetch', { measures: [] }, given));
  expect(all).toMatchObject([{ name: '', fields: {} }]);
});

test('an unknown source has no groups', async () => {
  const context = contextOf('fetch', { source: 'starships', group_by: ['city'] }, given);
  expect(await fetch(context)).toEqual({ items: [] });
  expect(context.warnings).toMatchObject([{ code: 'source_not_found' }]);
});

test('a query of a thousand words is a query', async () => {
  const query = Array.from({ length: 1000 }, (_, i) => `w${i}`).join(' ');
  expect(await fetch(contextOf('fetch', { query: `${query} rome` }, given))).toMatchObject({
    items: [{ name: 'Three' }, { name: 'Four' }],
  });
});

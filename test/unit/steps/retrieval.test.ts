// fetch and vector_search (rules.md: steps 1, steps 2).
import { expect, test } from 'vitest';
import type { Where } from '#contract/conditions.ts';
import { fetch } from '#steps/fetch-step.ts';
import { vectorSearch } from '#steps/vector-search.ts';
import { entity, sourcesOver } from '../sources/memory-readers.ts';
import { contextOf, type Given } from './fake-context.ts';

/** After all that other files in this process have made: each record is a second later than the one before. */
const LATEST = Date.UTC(2100, 0);

const bolt = entity('company', 'Bolt', { city: 'Paris', sector: 'scooters' }, { updated_at: LATEST });
const acme = entity('company', 'Acme', { city: 'Berlin', sector: 'robots', staff: 10 });
const ada = entity('person', 'Ada', { city: 'Berlin' });
const given: Given = { sources: sourcesOver({ entities: [bolt, acme, ada] }) };
const names = ({ items = [] }: { items?: { name: string }[] }) => items.map(({ name }) => name);

test('fetch without params takes all records of the workspace', async () => {
  const context = contextOf('fetch', {}, given);
  expect(names(await fetch(context))).toEqual(['Bolt', 'Acme', 'Ada']);
  expect(context.warnings).toEqual([]);
  expect(context.calls).toEqual([]);
});

test('a fetch query keeps records that match one of its words or more, best first', async () => {
  expect(names(await fetch(contextOf('fetch', { query: 'robots Berlin' }, given)))).toEqual(['Acme', 'Ada']);
});

test('a fetch query of blanks keeps all', async () => {
  expect(names(await fetch(contextOf('fetch', { query: '  ' }, given)))).toHaveLength(3);
});

test('the type is a word to find records by, unless the source is that type', async () => {
  expect(names(await fetch(contextOf('fetch', { query: 'companies' }, given)))).toEqual(['Bolt', 'Acme']);
  const ofType = contextOf('fetch', { source: 'companies', query: 'companies in Berlin' }, given);
  expect(names(await fetch(ofType))).toEqual(['Acme']);
});

test.each([
  ['Top 5 deals by total', { limit: 5, sort: 'name_asc' }, false],
  ['the five newest deals', { limit: 5, sort: 'created_desc' }, false],
  ['Which deal has the highest total?', { limit: 1, sort: 'name_asc' }, false],
  ['All deals by total', { limit: 5, sort: 'name_asc' }, true],
  ['Deals over 50', { limit: 5 }, true],
  [undefined, { limit: 5, sort: 'name_asc' }, true],
] as const)(
  '%s with %j: what the query asks for is no cut (rules.md: records 11)',
  async (query, params, warns) => {
    const sources = sourcesOver({
      entities: Array.from({ length: 9 }, (_, i) => entity('deal', `Deal ${i}`)),
    });
    const run = { ...(query !== undefined && { query }) };
    const context = contextOf('fetch', params, { sources, run });
    expect((await fetch(context)).part).toEqual({ matched: 9, taken: params.limit });
    expect(context.warnings.map(({ code }) => code)).toEqual(warns ? ['results_truncated'] : []);
  },
);

test('a fetch takes 100 records unless its limit differs', async () => {
  const sources = sourcesOver({
    entities: Array.from({ length: 101 }, (_, i) => entity('deal', `Deal ${i}`)),
  });
  const context = contextOf('fetch', {}, { sources });
  expect(names(await fetch(context))).toHaveLength(100);
  expect(context.warnings).toMatchObject([
    { code: 'results_truncated', details: { matched: 101, returned: 100 } },
  ]);
  const all = contextOf('fetch', { limit: 101 }, { sources });
  expect(names(await fetch(all))).toHaveLength(101);
  expect(all.warnings).toEqual([]);
});

test('a fetch is sorted before it is cut', async () => {
  expect(names(await fetch(contextOf('fetch', { sort: 'name_asc', limit: 2 }, given)))).toEqual([
    'Acme',
    'Ada',
  ]);
  expect(names(await fetch(contextOf('fetch', { sort: 'updated_desc' }, given)))[0]).toBe('Bolt');
  expect(names(await fetch(contextOf('fetch', { sort: 'created_desc' }, given)))[0]).toBe('Ada');
});

test('fields keeps only the named fields that a record has', async () => {
  const output = await fetch(
    contextOf('fetch', { fields: ['staff', 'city', 'constructor'], sort: 'name_asc' }, given),
  );
  expect(output.items?.map(({ fields }) => fields)).toEqual([
    { staff: 10, city: 'Berlin' },
    { city: 'Berlin' },
    { city: 'Paris' },
  ]);
});

test('entity_types narrow a fetch', async () => {
  expect(names(await fetch(contextOf('fetch', { entity_types: ['person'] }, given)))).toEqual(['Ada']);
});

test('an unknown source gives 0 items and source_not_found', async () => {
  const context = contextOf('fetch', { source: 'starships' }, given);
  expect(await fetch(context)).toEqual({ items: [] });
  expect(context.warnings).toMatchObject([{ code: 'source_not_found', details: { source: 'starships' } }]);
});

test('vector_search of an unknown source gives 0 items and source_not_found', async () => {
  const context = contextOf('vector_search', { source: 'starships' }, given);
  expect(await vectorSearch(context)).toEqual({ items: [] });
  expect(context.warnings).toMatchObject([{ code: 'source_not_found' }]);
});

test('vector_search scores its items, best first', async () => {
  const { items = [] } = await vectorSearch(contextOf('vector_search', { query: 'robots Berlin' }, given));
  expect(items[0]).toMatchObject({ name: 'Acme', score: expect.any(Number) });
  expect(items.map(({ score = 0 }) => score)).toEqual(
    items.map(({ score = 0 }) => score).toSorted((a, b) => b - a),
  );
});

test('vector_search looks for the instructions when it has no query, and for the title when it has neither', async () => {
  const byInstructions = contextOf(
    'vector_search',
    { limit: 1 },
    { ...given, instructions: 'scooters Paris' },
  );
  expect(names(await vectorSearch(byInstructions))).toEqual(['Bolt']);
  const byTitle = contextOf('vector_search', { limit: 1 }, { ...given, title: 'Ada' });
  expect(names(await vectorSearch(byTitle))).toEqual(['Ada']);
});

test('vector_search keeps to min_score, limit 20 by default, and entity_types', async () => {
  const strict = contextOf('vector_search', { query: 'robots', min_score: 0.99 }, given);
  expect(await vectorSearch(strict)).toEqual({ items: [] });
  const sources = sourcesOver({
    entities: Array.from({ length: 30 }, (_, i) => entity('deal', `Deal ${i}`)),
  });
  expect(names(await vectorSearch(contextOf('vector_search', { query: 'deal' }, { sources })))).toHaveLength(
    20,
  );
  const people = contextOf('vector_search', { query: 'Berlin', entity_types: ['person'] }, given);
  expect(names(await vectorSearch(people))).toEqual(['Ada']);
});

test('a fetch of what has a number in a field says how many records have none', async () => {
  const rated = (rating: string | number) => entity('film', `Film ${rating}`, { rating, kind: 'short' });
  const sources = sourcesOver({ entities: [rated(5), rated('unrated'), rated(7), entity('film', 'Long')] });
  const anyNumber = { field: 'rating', op: '>=' as const, value: -Number.MAX_VALUE };
  const leftOut = async (where: Where) =>
    (await fetch(contextOf('fetch', { source: 'films', where }, { sources }))).left_out;
  expect(await leftOut(anyNumber)).toBe('2 records have no number in rating and are not among them.');
  const short = { field: 'kind', op: '=' as const, value: 'short' };
  expect(await leftOut({ and: [short, anyNumber] })).toBe(
    '1 record has no number in rating and is not among them.',
  );
  expect(await leftOut({ and: [{ field: 'rating', op: '=', value: 5 }, anyNumber] })).toBeUndefined();
  expect(await leftOut(short)).toBeUndefined();
});

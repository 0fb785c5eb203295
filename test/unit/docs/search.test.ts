// rules.md: reads 13. The shelf of pages, and what a search over them finds first.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { search } from '../../../clients/console/reference/search.ts';
import { groups } from '../../../functions/docs/reference.ts';
import { searchIndex } from '../../../functions/docs/search-index.ts';
import { shelves } from '../../../functions/docs/shelf.ts';

const found = (query: string) => search(searchIndex, query).map(({ title, at }) => ({ title, at }));

test('every page is on one of three shelves, once', () => {
  expect(shelves.map(({ title }) => title)).toEqual(['Guides', 'API', 'Operate']);
  const all = shelves.flatMap(({ pages }) => pages.map(({ at }) => at));
  expect(all.toSorted()).toEqual(
    [
      'docs',
      'docs/errors',
      'docs/rules',
      'docs/operator-rules',
      ...groups.map(({ slug }) => `docs/${slug}`),
    ].toSorted(),
  );
  const titles = (shelf: string) =>
    shelves.find(({ title }) => title === shelf)?.pages.map(({ title }) => title);
  expect(titles('Guides')).toEqual(expect.arrayContaining(['Start here', 'Monitors', 'Plans', 'Webhooks']));
  expect(titles('API')).toEqual(expect.arrayContaining(['Runs', 'Events', 'Errors']));
  expect(titles('Operate')).toEqual(expect.arrayContaining(['Deploying', 'When the model is away']));
});

test.each([
  ['schedule', 'docs/monitors'],
  ['schedules', 'docs/monitors'],
  ['delete a run', 'docs/runs#DeleteRun'],
  ['how do I create a run', 'docs/runs#CreateRun'],
  ['webhook signature', 'docs/webhooks'],
  ['rolling back', 'docs/deploying#rolling-back'],
  ['run_not_found', 'docs/errors#run_not_found'],
  ['RunConfig', 'docs/runs#schema-RunConfig'],
])('a search for "%s" has %s first', (query, at) => {
  expect(found(query)[0]?.at).toBe(at);
});

test.each([
  'csv',
  'import',
  'concept',
  'local',
  'step kind',
  'webhook signature',
  'starts_with',
  'max_cost_usd',
])('a search for "%s" finds something, each with all its words', (query) => {
  expect(found(query)).not.toEqual([]);
});

test('a search without words, or for what there is not, finds nothing', () => {
  for (const query of ['', '  ', 'zzzzz', 'run zzzzz']) expect([query, found(query)]).toEqual([query, []]);
});

test('the index is small enough to be read when the search is opened', () => {
  expect(gzipSync(JSON.stringify(searchIndex)).length).toBeLessThan(60 * 1024);
});

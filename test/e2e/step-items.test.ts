// rules.md: reads 12. Which items a step passed on, and which a filter dropped.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.entities(
    home.workspace_id,
    Array.from({ length: 30 }, (_, i) => ({
      type: 'town',
      name: `Town ${String(i).padStart(2, '0')}`,
      fields: {
        country: i % 3 === 0 ? 'Norway' : 'Chile',
        note: i === 0 ? 'a *star* [x](entity=y)' : `n${i}`,
      },
    })),
  );
});

interface Listed {
  total: number;
  data: { id: string | null; name: string; type: string; fields: Record<string, unknown>; score?: number }[];
}

const itemsOf = (id: string, step: string | number, query = '', key = home.key) =>
  call('GET', `/runs/${id}/steps/${step}/items${query}`, { key });
const listed = async (id: string, step: number, query = ''): Promise<Listed> => {
  const { status, body } = await itemsOf(id, step, query);
  expect(status).toBe(200);
  return body;
};
const namesOf = ({ data }: Listed) => data.map(({ name }) => name);

const fetchTowns = { kind: 'fetch', params: { source: 'towns', sort: 'name_asc' } };
const keep = (instructions: string, params = {}) => ({ kind: 'filter', instructions, params });

async function ended(...steps: Record<string, unknown>[]) {
  const { body } = await when.createsPlanRun(home, steps);
  return then.ended(home, body.id);
}

test('rule 12: a fetch passes on its records in order, by page, with plain values', async () => {
  const { id } = await ended(fetchTowns);
  const first = await listed(id, 0);
  expect(first).toMatchObject({ object: 'list', total: 30 });
  expect(first.data).toHaveLength(20);
  expect(first.data[0]).toEqual({
    id: expect.any(String),
    name: 'Town 00',
    type: 'town',
    fields: { country: 'Norway', note: 'a *star* [x](entity=y)' },
  });
  const rest = await listed(id, 0, '?offset=20&limit=100');
  expect(rest.total).toBe(30);
  expect([...namesOf(first), ...namesOf(rest)]).toEqual(
    Array.from({ length: 30 }, (_, i) => `Town ${String(i).padStart(2, '0')}`),
  );
  expect(await listed(id, 0, '?offset=30')).toMatchObject({ total: 30, data: [] });
});

test('rule 12: what a filter dropped is what came in without what went out', async () => {
  const { id } = await ended(fetchTowns, keep('towns in Norway'), when.answer);
  const [kept, dropped] = [await listed(id, 1), await listed(id, 1, '?which=dropped&limit=100')];
  expect(kept.total).toBe(10);
  for (const { score, fields } of kept.data)
    expect([fields.country, typeof score]).toEqual(['Norway', 'number']);
  expect(dropped.total).toBe(20);
  expect(new Set(dropped.data.map(({ fields }) => fields.country))).toEqual(new Set(['Chile']));
  const page = await listed(id, 1, '?which=dropped&offset=18');
  expect(page).toMatchObject({ total: 20, data: dropped.data.slice(18) });
  expect(await listed(id, 2)).toEqual({ object: 'list', total: 0, data: [] });
});

test('rule 12: a filter of two steps drops an item that came twice once, and what is over its limit', async () => {
  const { id } = await ended(
    fetchTowns,
    { kind: 'fetch', params: { source: 'towns', query: 'Norway', sort: 'name_asc' } },
    keep('towns in Norway', { steps_to_filter: [1, 0], limit_to: 4 }),
  );
  expect((await listed(id, 2)).total).toBe(4);
  const dropped = await listed(id, 2, '?which=dropped&limit=100');
  expect([dropped.total, new Set(namesOf(dropped)).size]).toEqual([26, 26]);
});

test('rule 12: the id of a group is null', async () => {
  const { id } = await ended({ kind: 'fetch', params: { source: 'towns', group_by: ['country'] } });
  expect(await listed(id, 0)).toMatchObject({
    total: 2,
    data: [
      { id: null, name: 'Chile', type: 'group', fields: { country: 'Chile', count: 20 } },
      { id: null, name: 'Norway' },
    ],
  });
});

test('rule 12: a step that has not ended has none, and so has what a failed run did not reach', async () => {
  const { id } = await ended({ kind: 'analyze', instructions: '[[fail]]' }, fetchTowns, keep('Norway'));
  for (const step of [0, 1, 2]) expect(await listed(id, step)).toMatchObject({ total: 0, data: [] });
  expect(await listed(id, 2, '?which=dropped')).toMatchObject({ total: 0, data: [] });
});

test('rule 12: a large result is read by page, at most 4 MB at once', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => ({
    type: 'scroll',
    name: `Scroll ${String(i).padStart(2, '0')}`,
    fields: { text: `${i} ${'ß'.repeat(100_000)}` },
  }));
  await given.entities(home.workspace_id, lines);
  const { id } = await ended({ kind: 'fetch', params: { source: 'scrolls', sort: 'name_asc' } });
  const names: string[] = [];
  while (names.length < 60) {
    const page = await listed(id, 0, `?offset=${names.length}&limit=100`);
    expect(page.total).toBe(60);
    expect(page.data.length).toBeGreaterThan(0);
    expect(Buffer.byteLength(JSON.stringify(page.data))).toBeLessThan(4.1 * 1024 * 1024);
    names.push(...namesOf(page));
  }
  expect(names).toEqual(lines.map(({ name }) => name));
});

test('rule 12: a rerun shows what it took over, until the run that made it is deleted', async () => {
  const { id } = await ended(fetchTowns, keep('towns in Norway'), when.answer);
  const again = await then.ended(home, (await when.rerunsFrom(home, id, 2)).body.id);
  expect(await listed(again.id, 1, '?which=dropped')).toMatchObject({ total: 20 });
  expect((await call('DELETE', `/runs/${id}`, { key: home.key })).status).toBe(204);
  expectRefusal(await itemsOf(id, 0), 404, 'run_not_found');
  for (const query of ['', '?which=dropped'])
    expectRefusal(await itemsOf(again.id, 1, query), 404, 'checkpoint_not_found', {
      details: { step_index: 1 },
    });
});

test('rule 12: wrong indexes, wrong words and foreign keys are refused', async () => {
  const { id } = await ended(fetchTowns, keep('towns in Norway'));
  for (const step of ['2', '-1', '01', 'x', '99999999999999999999'])
    expectRefusal(await itemsOf(id, step), 404, 'step_not_found');
  for (const [query, param] of [
    ['?which=dropped', 'which'],
    ['?which=in', 'which'],
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?offset=-1', 'offset'],
    ['?cursor=a', 'cursor'],
  ] as const)
    expectRefusal(await itemsOf(id, 0, query), 422, 'schema_validation_failed', { param });
  const { key: reader } = await given.key(home.workspace_id, ['runs:read']);
  expectRefusal(await itemsOf(id, 0, '', reader), 403, 'forbidden_feature', {
    details: { required_scope: 'artifacts:read' },
  });
  expectRefusal(await itemsOf(id, 0, '', (await given.workspace()).key), 404, 'run_not_found');
});

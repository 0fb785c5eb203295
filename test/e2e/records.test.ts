// Conditions, sorts and groups over records, through the API (rules.md: records).
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../functions/contract/json.ts';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call } from '../support/service.ts';
import { bridgeFor, push, send } from '../support/sync-sender.ts';
import * as then from '../support/then.ts';
import { createsPlanRun } from '../support/when.ts';

const HOSTILE = 'x"\'; DROP TABLE records; -- [a](entity=b) {{$}}';
const ASTRAL = '\u{1D4B3}';
const LAST_OF_PLANE = '\uFFFD';

let home: given.Home;
/** Ids in the order of the names, so that ties have a known order. */
const idOf = (name: string) => `00000000-0000-4000-8000-0000000000${name.charCodeAt(0).toString(16)}`;
beforeAll(async () => {
  home = await given.workspace();
  const gadget = (name: string, fields: object) => ({
    id: idOf(name),
    type: 'gadget',
    name,
    fields: { ...fields },
  });
  await given.entities(home.workspace_id, [
    {
      ...gadget('A', { n: 5, city: 'Berlin', on: true, tags: ['x', 'y'], deep: { a: { b: 1 } } }),
      ...{ external_uri: 'crm:a', external_id: 'A1', source: 'custom' },
    },
    gadget('B', { n: '5', city: 'berlin', on: false, tags: [], 'dot.key': 'key', dot: { key: 'path' } }),
    gadget('C', { n: null, city: 'Oslo', tags: ['y'], dot: { key: 'path' }, text: ASTRAL }),
    gadget('D', { city: 'Bergen', list: [{ v: 1 }], text: LAST_OF_PLANE }),
    gadget('E', { n: true, city: 7, tags: 'x', name: 'inner', text: 'a' }),
    gadget('F', { n: -2.5, [HOSTILE]: HOSTILE, type: 'shadow' }),
    { id: idOf('P'), type: 'person', name: 'P', fields: { n: 5, city: 'Berlin' } },
  ]);
});

interface Outcome {
  rows: Record<string, unknown>[];
  /** Names without their links. */
  names: string[];
  columns: string[];
  truncated: { matched: number; returned: number } | undefined;
  message: string;
}

/** What a run ends with that retrieves and shows all it has in a table. */
async function outcomeOf(step: Record<string, unknown>, by: given.Home = home): Promise<Outcome> {
  const answer = { kind: 'reconstitute', params: { expected_artifacts: ['table'] } };
  const reply = await createsPlanRun(by, [step, answer]);
  expect(reply).toMatchObject({ status: 202 });
  const run = await then.ended(by, reply.body.id);
  expect(run).toMatchObject({ status: 'succeeded' });
  const { body } = await call('GET', `/artifacts/${run.artifacts[0].id}`, { key: by.key });
  return {
    rows: body.rows,
    names: body.rows.map(({ name }: { name: string }) => name.replace(/^\[(.*)\]\(.*\)$/, '$1')),
    columns: body.columns,
    truncated: run.warnings.find((one: { code: string }) => one.code === 'results_truncated')?.details,
    message: run.message,
  };
}

const fetched = (params: Record<string, unknown>, by?: given.Home) =>
  outcomeOf({ kind: 'fetch', params: { source: 'gadgets', ...params } }, by);

/** A group without its name. */
const figures = ({ rows }: Outcome) => rows.map(({ name: _, ...fields }) => fields);

describe('where', () => {
  const one = (field: string, op: string, value: unknown) => ({ field, op, value });

  test.each<[string, object, string[]]>([
    ['= on numbers', one('n', '=', 5), ['A']],
    ['= on strings, which are no numbers', one('n', '=', '5'), ['B']],
    ['= on booleans', one('n', '=', true), ['E']],
    ['= is exact in case', one('city', '=', 'berlin'), ['B']],
    [
      '!= also where the field is absent, null or of another kind',
      one('n', '!=', 5),
      ['B', 'C', 'D', 'E', 'F'],
    ],
    ['< on numbers only', one('n', '<', 6), ['A', 'F']],
    ['<= and >= include the bound', { and: [one('n', '<=', 5), one('n', '>=', 5)] }, ['A']],
    ['> on strings only, by code point', one('city', '>', 'Oslo'), ['B']],
    ['> puts what lies beyond the first plane last', one('text', '>', LAST_OF_PLANE), ['C']],
    ['in mixes kinds', one('n', 'in', [5, '5', true]), ['A', 'B', 'E']],
    ['contains without case', one('city', 'contains', 'ERL'), ['A', 'B']],
    ['starts_with without case', one('city', 'starts_with', 'ber'), ['A', 'B', 'D']],
    ['exists: null is absent', one('n', 'exists', true), ['A', 'B', 'E', 'F']],
    ['exists false', one('n', 'exists', false), ['C', 'D']],
    ['a list holds when an element does', one('tags', '=', 'x'), ['A', 'E']],
    ['in over elements', one('tags', 'in', ['y', 'z']), ['A', 'C']],
    ['contains over elements', one('tags', 'contains', 'Y'), ['A', 'C']],
    ['!= on a list when = does not hold', one('tags', '!=', 'x'), ['B', 'C', 'D', 'F']],
    ['order never holds on a list', one('tags', '>=', 'a'), ['E']],
    ['a path into objects', one('deep.a.b', '=', 1), ['A']],
    ['a key with a dot wins over the path', one('dot.key', '=', 'key'), ['B']],
    ['and hides it', one('dot.key', '=', 'path'), ['C']],
    ['lists of objects are not entered', one('list.v', '=', 1), []],
    ['fields.city is city', one('fields.city', '=', 'Oslo'), ['C']],
    ['name is the record’s own', one('name', '=', 'E'), ['E']],
    ['fields.name is a field', one('fields.name', '=', 'inner'), ['E']],
    ['type is the record’s own', one('type', '=', 'shadow'), []],
    ['external_uri', one('external_uri', '=', 'crm:a'), ['A']],
    ['external_id and source', { and: [one('external_id', '=', 'A1'), one('source', '=', 'custom')] }, ['A']],
    ['created_at in epoch ms', one('created_at', '>', 1_600_000_000_000), ['A', 'B', 'C', 'D', 'E', 'F']],
    ['a field that no record has', one('nobody', '=', 1), []],
    ['or, not', { or: [one('n', '=', -2.5), { not: one('city', 'exists', true) }] }, ['F']],
    ['a hostile field name and value are plain data', one(HOSTILE, '=', HOSTILE), ['F']],
    ['an operator in a value is none', one('city', '=', '%'), []],
    ['wildcards are plain characters', one('city', 'contains', '_'), []],
    ['names of JavaScript are plain', one('constructor', 'exists', true), []],
    ['also the worst of them', one('__proto__', 'exists', true), []],
  ])('%s', async (_, where, expected) => {
    expect((await fetched({ where, sort: 'name_asc' })).names).toEqual(expected);
  });

  test('query and where must both hold', async () => {
    const where = one('tags', 'exists', true);
    expect((await fetched({ query: 'oslo bergen', where })).names).toEqual(['C']);
  });

  test('id names one record', async () => {
    expect((await fetched({ where: one('id', 'in', [idOf('D'), idOf('P')]) })).names).toEqual(['D']);
  });

  test('vector_search ranks only what meets it', async () => {
    const params = { source: 'entities', query: 'Berlin', where: one('n', '=', 5) };
    expect((await outcomeOf({ kind: 'vector_search', params })).names.toSorted()).toEqual(['A', 'P']);
  });

  const deep = (levels: number): object => (levels === 0 ? one('n', '=', 5) : { not: deep(levels - 1) });
  const many = (count: number) => Array.from({ length: count }, (_, i) => one('n', '=', i));

  test.each<[string, unknown, string]>([
    ['no object', 'n = 5', ''],
    ['empty', {}, '.field'],
    ['no field', { op: '=', value: 1 }, '.field'],
    ['empty field', one('', '=', 1), '.field'],
    ['field of 201 characters', one('f'.repeat(201), '=', 1), '.field'],
    ['unknown operator', one('n', 'like', 1), '.op'],
    ['no operator', { field: 'n', value: 1 }, '.op'],
    ['no value', { field: 'n', op: '=' }, '.value'],
    ['= null', one('n', '=', null), '.value'],
    ['< with a boolean', one('n', '<', true), '.value'],
    ['in without a list', one('n', 'in', 5), '.value'],
    ['in with nothing', one('n', 'in', []), '.value'],
    [
      'in with 101',
      one(
        'n',
        'in',
        Array.from({ length: 101 }, (_, i) => i),
      ),
      '.value',
    ],
    ['in with an object', one('n', 'in', [1, {}]), '.value.1'],
    ['contains with a number', one('n', 'contains', 5), '.value'],
    ['starts_with of 201 characters', one('n', 'starts_with', 'x'.repeat(201)), '.value'],
    ['exists without a boolean', one('n', 'exists', 'yes'), '.value'],
    ['another member', { ...one('n', '=', 1), extra: 1 }, '.extra'],
    ['an empty and', { and: [] }, '.and'],
    ['21 members', { or: many(21) }, '.or'],
    ['deep inside', { and: [one('n', '=', 1), { or: [{ not: one('n', '~', 1) }] }] }, '.and.1.or.0.not.op'],
    ['a condition and a connective', { ...one('n', '=', 1), and: [one('n', '=', 1)] }, '.field'],
    ['6 levels', deep(6), '.not.not.not.not.not'],
    ['51 conditions', { and: [{ or: many(20) }, { or: many(20) }, { or: many(11) }] }, ''],
  ])('%s is refused by its place', async (_, where, path) => {
    const reply = await createsPlanRun(home, [{ kind: 'fetch', params: { where } }]);
    expectRefusal(reply, 422, 'schema_validation_failed', { param: `plan.steps.0.params.where${path}` });
  });

  test('50 conditions and 5 levels are accepted', async () => {
    const where = { and: [{ or: many(20) }, { or: many(20) }, { or: many(9) }, deep(4)] };
    expect((await fetched({ where })).names).toEqual(['A']);
    expect((await fetched({ where: deep(5) })).names).toHaveLength(5);
  });

  test.each(['notes', 'relationships', 'artifacts', 'Notes'])('%s have no fields', async (source) => {
    const where = one('n', '=', 1);
    for (const kind of ['fetch', 'vector_search']) {
      const reply = await createsPlanRun(home, [{ kind, params: { source, where } }]);
      expectRefusal(reply, 422, 'schema_validation_failed', { param: 'plan.steps.0.params.where' });
    }
    for (const [name, value] of Object.entries({
      sort: [{ field: 'n' }],
      group_by: ['n'],
      measures: [{ as: 'm', op: 'count' }],
    })) {
      const reply = await createsPlanRun(home, [{ kind: 'fetch', params: { source, [name]: value } }]);
      expectRefusal(reply, 422, 'schema_validation_failed', { param: `plan.steps.0.params.${name}` });
    }
  });
});

describe('sort', () => {
  test.each<[string, object[], string[]]>([
    ['numbers, strings, booleans, absent by id', [{ field: 'n' }], ['F', 'A', 'B', 'E', 'C', 'D']],
    [
      'descending turns the kinds, not the absent',
      [{ field: 'n', direction: 'desc' }],
      ['E', 'B', 'A', 'F', 'C', 'D'],
    ],
    [
      'lists are absent',
      [{ field: 'tags' }, { field: 'name', direction: 'desc' }],
      ['E', 'F', 'D', 'C', 'B', 'A'],
    ],
    ['strings by code point', [{ field: 'text', direction: 'asc' }], ['E', 'D', 'C', 'A', 'B', 'F']],
    ['a field that no record has', [{ field: 'nobody' }], ['A', 'B', 'C', 'D', 'E', 'F']],
  ])('%s', async (_, sort, expected) => {
    expect((await fetched({ sort })).names).toEqual(expected);
  });

  test('with it the words only select', async () => {
    expect(
      (await fetched({ query: 'berlin oslo', sort: [{ field: 'name', direction: 'desc' }] })).names,
    ).toEqual(['C', 'B', 'A']);
  });

  test('a limit cuts the first, and matched is exact', async () => {
    const { names, truncated } = await fetched({ sort: [{ field: 'n', direction: 'desc' }], limit: 2 });
    expect(names).toEqual(['E', 'B']);
    expect(truncated).toEqual({ matched: 6, returned: 2 });
  });

  test.each<[string, unknown, string]>([
    ['another word', 'newest', 'sort'],
    ['no field', [], 'sort'],
    ['four fields', [1, 2, 3, 4].map((n) => ({ field: `f${n}` })), 'sort'],
    ['another direction', [{ field: 'n' }, { field: 'm', direction: 'down' }], 'sort.1.direction'],
    ['an empty name', [{ field: '' }], 'sort.0.field'],
    ['another member', [{ field: 'n', nulls: 'first' }], 'sort.0.nulls'],
    ['an object', { field: 'n' }, 'sort'],
  ])('%s is refused by its place', async (_, sort, path) => {
    const reply = await createsPlanRun(home, [{ kind: 'fetch', params: { sort } }]);
    expectRefusal(reply, 422, 'schema_validation_failed', { param: `plan.steps.0.params.${path}` });
  });
});

describe('groups', () => {
  let shops: given.Home;
  const rows = (params: Record<string, unknown>) => fetched({ source: 'shops', ...params }, shops);
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
    expect(figures(outcome).slice(0, 3)).toEqual([
      { city: 'Oslo', count: 2 },
      { city: 'Rome', count: 2 },
      { city: null, count: 1 },
    ]);
    expect(figures(outcome).slice(3)).toEqual(
      expect.arrayContaining([
        { city: 5, count: 1 },
        { city: '5', count: 1 },
      ]),
    );
    expect(JSON.stringify(outcome.rows)).not.toContain('entity=');
    expect(outcome.truncated).toBeUndefined();
  });

  test('measures take what the contract says, and are absent over nothing', async () => {
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
    expect(figures(await rows({ group_by: ['city'], measures, sort }))).toEqual([
      { city: 5, all: 1, priced: 1, total: 1, mean: 1, least: 1, most: 1, last: 5 },
      { city: '5', all: 1, priced: 0, total: null, mean: null, least: null, most: null, last: '5' },
      { city: 'Oslo', all: 2, priced: 2, total: 30, mean: 15, least: 10, most: 20, last: 'Oslo' },
      { city: 'Rome', all: 2, priced: 2, total: 5.5, mean: 5.5, least: 5.5, most: 5.5, last: 'Rome' },
      { city: null, all: 1, priced: 0, total: null, mean: null, least: null, most: null, last: null },
    ]);
  });

  test('a list counts once under each different element, an empty one as absent', async () => {
    expect(figures(await rows({ group_by: ['sells'] }))).toEqual([
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
    expect(figures(outcome)).toEqual([
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
    expect(figures(await rows({ measures }))).toEqual([{ n: 7, total: 36.5 }]);
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
    expect(figures(outcome)).toEqual([{ type: 'shop', count: 2 }]);
  });

  test('a hostile field is plain data, and its value no link', async () => {
    expect(figures(await fetched({ group_by: [HOSTILE], limit: 5 }))).toEqual([
      { [HOSTILE]: null, count: 5 },
      { [HOSTILE]: HOSTILE.replace('[a](', '\\[a\\]\\('), count: 1 },
    ]);
  });

  test('a run that ends with groups says what they are', async () => {
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
});

describe('what was written before', () => {
  const names = async (by: given.Home, where: object) =>
    (await fetched({ source: 'entities', where, sort: 'name_asc' }, by)).names;

  test('an import is in the next answer, again and again', async () => {
    const own = await given.workspace();
    for (let i = 1; i <= 5; i += 1) {
      await given.entities(own.workspace_id, [{ type: 'thing', name: `T${i}`, fields: { i } }]);
      expect(await names(own, { field: 'i', op: '=', value: i })).toEqual([`T${i}`]);
      expect(
        (await fetched({ source: 'things', measures: [{ as: 'n', op: 'count' }] }, own)).rows,
      ).toMatchObject([{ n: i }]);
    }
  });

  test('an import that changes a record replaces what it was found by', async () => {
    const own = await given.workspace();
    const [thing] = await given.entities(own.workspace_id, [
      { type: 'thing', name: 'Old', fields: { v: 1, gone: 1 } },
    ]);
    await given.entities(own.workspace_id, [
      { id: thing?.id ?? '', type: 'thing', name: 'New', fields: { v: 2 } },
    ]);
    expect(await names(own, { field: 'v', op: '=', value: 1 })).toEqual([]);
    expect(await names(own, { field: 'v', op: '=', value: 2 })).toEqual(['New']);
    expect((await fetched({ source: 'things', query: 'old' }, own)).names).toEqual([]);
  });

  test('a synced update and a synced delete are, too', async () => {
    const own = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
    const bridge = await bridgeFor(own.workspace_id);
    const city = (value: string) => ({ field: 'city', op: '=', value });
    await send(bridge, push('company', 'c', { name: 'Acme', hq: 'Bonn' }));
    expect(await names(own, city('Bonn'))).toEqual(['Acme']);
    await send(bridge, push('company', 'c', { hq: 'Kiel' }, { operation: 'update' }));
    expect([await names(own, city('Bonn')), await names(own, city('Kiel'))]).toEqual([[], ['Acme']]);
    await send(bridge, { resource: { type: 'company', id: 'c' }, operation: 'delete' });
    expect(await names(own, city('Kiel'))).toEqual([]);
    expect((await fetched({ source: 'entities' }, own)).rows).toEqual([]);
  });

  test('relationships are found with both ends by words and counted exactly', async () => {
    const own = await given.workspace();
    const people = await given.entities(
      own.workspace_id,
      Array.from({ length: 12 }, (_, i) => ({ type: 'person', name: `Person ${i}` })),
    );
    const [first, ...others] = people.map(({ id }) => ({ id }));
    await admin({
      command: 'relationship.import',
      workspace_id: own.workspace_id,
      relationships: others.map((to) => ({ from: first ?? { id: '' }, to, type: 'knows' })),
    });
    const found = await fetched({ source: 'relationships', query: 'knows', limit: 3 }, own);
    expect(found.rows).toHaveLength(3);
    expect(found.truncated).toEqual({ matched: 11, returned: 3 });
    const one = await fetched({ source: 'relationships', query: 'person 7' }, own);
    expect(one.names[0]).toBe('Person 0 knows Person 7');
  });
});

// Conditions and sorts over records, through the API (rules.md: records).
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { fetchedBy, groupsOf, outcomeOf } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusal.ts';
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

const fetched = (params: Record<string, unknown>) => fetchedBy(home, { source: 'gadgets', ...params });

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
    expect((await outcomeOf(home, { kind: 'vector_search', params })).names.toSorted()).toEqual(['A', 'P']);
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

test('a hostile field that is grouped by is plain data, and its value no link', async () => {
  expect(groupsOf(await fetched({ group_by: [HOSTILE], limit: 5 }))).toEqual([
    { [HOSTILE]: null, count: 5 },
    { [HOSTILE]: HOSTILE.replace('[a](', '\\[a\\]\\('), count: 1 },
  ]);
});

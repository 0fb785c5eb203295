// What the offline planner makes of queries about fields: conditions, orders, numbers and groups, whatever types and
// fields are called.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Plan } from '#contract/plans.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import { item, offline, outlineOf, valuesIn } from './given.ts';

const company = (name: string, fields: ModelItem['fields']) => item(name, fields);
const person = (name: string, fields: ModelItem['fields']) => item(name, fields, 'person');
const records = [
  company('Acme', { city: 'Berlin', revenue: 1200, industry: 'software', founded_year: 1980, employees: 9 }),
  company('Bolt', { city: 'Oslo', revenue: 500, industry: 'finance', founded_year: 2010, active: true }),
  company('Cargo', { city: 'Rome', revenue: 80, industry: 'finance', founded_year: 1970 }),
  company('Nova', { city: 'New York', revenue: 'n/a', industry: 'software', opened: '1999-05-01' }),
  person('Ann', { company: 'Acme', industry: 'finance', department: 'IT' }),
  item('Maud', { built: 1990 }, 'vessel'),
  person('Bo', { company: 'Bolt', industry: 'energy', department: 'Finance' }),
];

const plan = (query: string, items = records) =>
  offline('plan', {
    query,
    interpretation: query,
    shape: outlineOf(items),
    values: valuesIn(query, items),
    candidates: [],
    today: '2026-11-20',
  });
const kinds = async (query: string) => (await plan(query)).steps.map(({ kind }) => kind).join(' ');
const fetched = async (query: string, items = records) => (await plan(query, items)).steps[0]?.params;
const unread = async (query: string) => {
  const asked = { query, shape: outlineOf(records), values: valuesIn(query, records), candidates: [] };
  return (await offline('understand', { ...asked, today: '2026-11-20', strict_mode: true })).not_understood;
};
const where = async (query: string) => (await fetched(query))?.where;

describe('a query that fields can answer needs no filter', () => {
  test.each([
    [
      'Which companies in Berlin have a revenue over 990?',
      {
        where: {
          and: [
            { field: 'city', op: '=', value: 'Berlin' },
            { field: 'revenue', op: '>', value: 990 },
          ],
        },
        limit: 10000,
      },
    ],
    [
      'How many companies are there per city?',
      { group_by: ['city'], measures: [{ as: 'count', op: 'count' }], limit: 10000 },
    ],
    [
      'Top 5 companies by revenue',
      {
        where: { field: 'revenue', op: '>=', value: -Number.MAX_VALUE },
        sort: [{ field: 'revenue', direction: 'desc' }],
        limit: 5,
      },
    ],
    [
      'Average revenue of companies by industry',
      {
        group_by: ['industry'],
        measures: [{ as: 'average_revenue', op: 'avg', field: 'revenue' }],
        limit: 10000,
      },
    ],
    [
      'Companies founded before 1990 in Oslo or Rome, newest first',
      {
        where: {
          and: [
            { field: 'founded_year', op: '<', value: 1990 },
            { field: 'city', op: 'in', value: ['Oslo', 'Rome'] },
          ],
        },
        sort: [{ field: 'founded_year', direction: 'desc' }],
        limit: 10000,
      },
    ],
  ])('%s', async (query, params) => {
    expect(await kinds(query)).toBe('fetch reconstitute');
    expect(await fetched(query)).toEqual({ source: 'entities', entity_types: ['company'], ...params });
  });
  test('How many people work in finance?', async () => {
    expect(await fetched('How many people work in finance?')).toEqual({
      source: 'entities',
      entity_types: ['person'],
      where: {
        or: [
          { field: 'industry', op: '=', value: 'finance' },
          { field: 'department', op: '=', value: 'Finance' },
        ],
      },
      measures: [{ as: 'count', op: 'count' }],
      limit: 1,
    });
  });
});

const city = (value: string) => ({ field: 'city', op: '=', value });
const revenue = (op: string, value: number) => ({ field: 'revenue', op, value });

describe('conditions', () => {
  test.each([
    ['companies in New York', city('New York')],
    ['companies in new york', city('New York')],
    ['companies not in Berlin', { not: city('Berlin') }],
    ['companies in Berlin and in Oslo', { field: 'city', op: 'in', value: ['Berlin', 'Oslo'] }],
    ['software or finance companies', { field: 'industry', op: 'in', value: ['software', 'finance'] }],
    [
      'Berlin or Oslo software companies',
      {
        and: [
          { field: 'city', op: 'in', value: ['Berlin', 'Oslo'] },
          { field: 'industry', op: '=', value: 'software' },
        ],
      },
    ],
    ['companies with revenue of at least 500', revenue('>=', 500)],
    ['companies with more than 5 employees', { field: 'employees', op: '>', value: 5 }],
    ['companies with revenue between 80 and 500', { and: [revenue('>=', 80), revenue('<=', 500)] }],
    ['companies with a revenue over 10 million', revenue('>', 10)],
    ['active companies', { field: 'active', op: '=', value: true }],
    ['companies without revenue', { not: { field: 'revenue', op: 'exists', value: true } }],
    ['companies opened before June 1999', { field: 'opened', op: '<', value: '1999-06' }],
    ['companies opened after 1998', { field: 'opened', op: '>=', value: '1999' }],
    ['people in IT', { field: 'department', op: '=', value: 'IT' }],
  ])('%s', async (query, expected) => {
    expect(await where(query)).toEqual(expected);
    expect(await kinds(query)).toBe('fetch reconstitute');
  });
  test('a field that is called like an attribute of the record takes the prefix', async () => {
    const items = [item('Acme', { source: 'fair', type: 'shop' })];
    expect(await fetched('companies from fair', items)).toMatchObject({
      where: { field: 'fields.source', op: '=', value: 'fair' },
    });
  });
});

describe('orders and numbers', () => {
  const by = (field: string, direction: string) => [{ field, direction }];
  test.each([
    ['companies sorted by name', { sort: by('name', 'asc'), limit: 10000 }],
    ['the 2 newest people', { sort: by('created_at', 'desc'), limit: 2 }],
    ['the oldest vessel', { sort: by('built', 'asc'), limit: 1 }],
    ['companies sorted by employees ascending', { sort: by('employees', 'asc'), limit: 10000 }],
    ['bottom 3 companies by employees', { sort: by('employees', 'asc'), limit: 3 }],
    ['list companies by city', { sort: by('city', 'asc'), limit: 10000 }],
    ['companies by city', { group_by: ['city'], measures: [{ as: 'count', op: 'count' }], limit: 10000 }],
  ])('%s', async (query, params) => {
    expect(await fetched(query)).toMatchObject(params);
    expect(await kinds(query)).toBe('fetch reconstitute');
  });
});

describe('groups and measures', () => {
  test.each([
    ['How many companies in Berlin are there?', [], 'count'],
    ['Number of companies by city and industry', ['city', 'industry'], 'count'],
    ['Number of companies by city and city', ['city'], 'count'],
    ['How many people per company?', ['company'], 'count'],
    ['What is the total revenue of companies in Oslo?', [], 'total_revenue'],
    ['Average number of employees per company', [], 'average_employees'],
    ['Highest revenue for each industry', ['industry'], 'highest_revenue'],
  ])('%s', async (query, group_by, as) => {
    const { group_by: groups = [], measures } = (await fetched(query)) ?? {};
    expect({ groups, measures }).toMatchObject({ groups: group_by, measures: [{ as }] });
  });
  test('a measure is not called like the field of its groups', async () => {
    const items = [item('A', { count: 1 })];
    expect(await fetched('How many companies per count?', items)).toMatchObject({
      group_by: ['count'],
      measures: [{ as: 'count_of_records' }],
    });
  });
  test('different values are groups of them', async () => {
    expect(await fetched('How many cities have companies?')).toMatchObject({ group_by: ['city'] });
  });
  test.each([
    ['How many promising companies hire in Berlin?', ['promising', 'hire']],
    ['Average mood of companies by city', ['Average', 'mood']],
    ['How many companies per mood?', ['mood']],
  ])('name what they do not understand: %s', async (query, words) => {
    expect(await unread(query)).toEqual(words);
  });
  test('are records where more than a number is asked for', async () => {
    const query = 'How many companies are in Berlin and what is their revenue?';
    expect(await fetched(query)).not.toHaveProperty('measures');
  });
});

describe('what no field says', () => {
  test('is in no step, and is named', async () => {
    const query = 'Companies in Oslo that hire painters';
    const { steps } = await plan(query);
    expect(steps.map(({ kind }) => kind)).toEqual(['fetch', 'reconstitute']);
    expect(steps[0]?.params).toMatchObject({ where: city('Oslo') });
    expect(await unread(query)).toEqual(['hire', 'painters']);
  });
  test('does not take away the order that is understood', async () => {
    const query = 'Top 2 companies that hire painters by employees';
    expect(await fetched(query)).toMatchObject({
      sort: [{ field: 'employees', direction: 'desc' }],
      limit: 2,
    });
    expect(await unread(query)).toEqual(['hire', 'painters']);
  });
});

describe('types and fields of any name', () => {
  const noun = fc.constantFrom(
    'vessel',
    'box',
    'city_archive',
    'leaf',
    'person',
    'bus',
    'policy',
    'child',
    'Machine',
  );
  const plurals: Record<string, string> = {
    vessel: 'vessels',
    box: 'boxes',
    city_archive: 'city archives',
    leaf: 'leaves',
    person: 'people',
    bus: 'buses',
    policy: 'policies',
    child: 'children',
    Machine: 'machines',
  };
  const place = fc.constantFrom('port', 'home_town', 'siteLocation', 'zone', 'address.city');
  const amount = fc.constantFrom('tonnage', 'weight_kg', 'score', 'price_eur', 'stats.age');
  const spoken = (path: string) =>
    path
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replace(/[._]/g, ' ')
      .toLowerCase();

  test('the same questions come out the same', async () => {
    await fc.assert(
      fc.asyncProperty(noun, place, amount, async (type, where, number) => {
        const items = [
          item('A', { [where]: 'Oslo', [number]: 5 }, type),
          item('B', { [where]: 'Rome', [number]: 7 }, type),
        ];
        const many = plurals[type] ?? type;
        const [at, of] = [spoken(where), spoken(number)];
        expect(await fetched(`Which ${many} in Oslo have a ${of} over 990?`, items)).toMatchObject({
          entity_types: [type],
          where: {
            and: [
              { field: where, op: '=', value: 'Oslo' },
              { field: number, op: '>', value: 990 },
            ],
          },
        });
        expect(await fetched(`How many ${many} are there per ${at}?`, items)).toMatchObject({
          entity_types: [type],
          group_by: [where],
          measures: [{ as: 'count', op: 'count' }],
        });
        expect(await fetched(`Top 5 ${many} by ${of}`, items)).toMatchObject({
          entity_types: [type],
          sort: [{ field: number, direction: 'desc' }],
          limit: 5,
        });
        expect(await fetched(`Average ${of} of ${many} by ${at}`, items)).toMatchObject({
          entity_types: [type],
          group_by: [where],
          measures: [{ op: 'avg', field: number }],
        });
        expect(await fetched(`How many ${many} work in Rome?`, items)).toMatchObject({
          entity_types: [type],
          where: { field: where, op: '=', value: 'Rome' },
          measures: [{ as: 'count', op: 'count' }],
        });
      }),
    );
  });
  test('any query over any fields makes a plan that passes the checks', async () => {
    const path = fc.oneof(
      fc.string({ minLength: 1, maxLength: 210, unit: 'grapheme' }),
      fc.constantFrom('name', 'id', 'fields.x'),
    );
    const value = fc.oneof(
      fc.string({ maxLength: 40, unit: 'grapheme' }),
      fc.double({ noNaN: true }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(path, value, fc.string({ minLength: 1, maxLength: 20 }), async (field, said, type) => {
        const items = [item('A', { [field]: said }, type)];
        for (const query of [
          `How many ${type} per ${field}?`,
          `Top 3 ${type} by ${field}`,
          `${type} in ${said} with ${field} over 5`,
        ]) {
          expect(Plan.safeParse(await plan(query, items)).error).toBeUndefined();
        }
      }),
    );
  });
});

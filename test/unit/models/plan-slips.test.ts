// rules.md: models 13, models 17. Slips of plans that change no meaning are mended; dates become times.
import { describe, expect, test } from 'vitest';
import { type InputOf, tasks } from '#models/tasks/task-registry.ts';
import { companies, item, outlineOf, people, shape } from './given.ts';
import { made } from './made.ts';

const UUID = '6a1e55b5-432b-8a7d-b4b3-dac607b36d27';
const known = { shape, values: [], candidates: [], today: '2026-11-20' };

describe('a plan', () => {
  const input = { ...known, query: 'q', interpretation: 'i', shape: outlineOf([...companies, ...people]) };
  const planned = async (params: object, asked: InputOf<'plan'> = input) =>
    (await made('plan', { title: 'P', steps: [{ kind: 'fetch', title: 'F', ...params }] }, asked)).steps[0]
      ?.params;
  const where = (field: string, op: string, value: unknown) => [
    { not: false, any_of: [{ field, op, value }] },
  ];

  test('can only name types, fields and sources of the workspace', async () => {
    const step = tasks.plan.answerFor(input).properties?.steps?.items?.properties;
    expect(step?.entity_types?.items?.enum).toEqual(['company', 'person']);
    expect(step?.group_by?.items?.properties?.field?.enum).toEqual(
      expect.arrayContaining(['name', 'created_at', 'city', 'start_date']),
    );
    expect(step?.source?.anyOf?.[0]?.enum).toEqual(['entities', 'notes', 'relationships', 'artifacts']);
    expect(JSON.stringify(step)).not.toMatch(/"(minimum|maximum|minLength|maxLength|\$schema|pattern)"/);
  });
  test.each([
    ['a limit of 0 is the default', { limit: 0 }, {}],
    ['a limit above the most is the most', { limit: 99_999 }, { limit: 10_000 }],
    ['a limit as a text', { limit: '5' }, { limit: 5 }],
    [
      'types and fields in another spelling',
      { entity_types: ['Company'], group_by: ['Founded Year'] },
      {
        entity_types: ['company'],
        group_by: ['founded_year'],
      },
    ],
    [
      'groups by a period in another spelling, and by a step',
      {
        group_by: [
          { field: 'Start date', by: 'Month' },
          { field: 'revenue', by: 20 },
        ],
      },
      {
        group_by: [
          { field: 'start_date', by: 'month' },
          { field: 'revenue', by: { width: 20 } },
        ],
      },
    ],
    ['groups by each value', { group_by: [{ field: 'city', by: null }] }, { group_by: ['city'] }],
    [
      'a condition without its group',
      { where: [{ field: 'City', op: '=', value: 'Berlin' }] },
      {
        where: { field: 'city', op: '=', value: 'Berlin' },
      },
    ],
    ['empty texts and nulls', { query: '', source: null, where: null, measures: null, sort: [] }, {}],
    [
      'an order without a direction',
      { sort: [{ field: 'revenue' }] },
      { sort: [{ field: 'revenue', direction: 'asc' }] },
    ],
  ])('%s', async (_, given, params) => {
    expect(await planned(given)).toEqual(params);
  });

  const at = (op: string, day: string) => ({
    field: 'created_at',
    op,
    value: Date.parse(`${day}T00:00:00Z`),
  });
  test.each([
    ['a day', '>=', '2026-11-20', at('>=', '2026-11-20')],
    ['a month', '<', '2026-11', at('<', '2026-11-01')],
    ['after a day', '>', '2026-11-20', at('>=', '2026-11-21')],
    ['up to a day', '<=', '2026-11-20', at('<', '2026-11-21')],
    ['on a day', '=', '2026-11-20', { and: [at('>=', '2026-11-20'), at('<', '2026-11-21')] }],
    ['not on a day', '!=', '2026-11-20', { not: { and: [at('>=', '2026-11-20'), at('<', '2026-11-21')] } }],
    ['a year as a number', '>=', 2026, at('>=', '2026-01-01')],
    ['a moment', '>=', '2026-11-20T00:00:00Z', at('>=', '2026-11-20')],
    ['epoch seconds', '>=', Date.parse('2026-11-20') / 1000, at('>=', '2026-11-20')],
    ['epoch milliseconds', '>=', Date.parse('2026-11-20'), at('>=', '2026-11-20')],
    ['epoch seconds as a text', '<', String(Date.parse('2026-11-20') / 1000), at('<', '2026-11-20')],
    [
      'one of two days',
      'in',
      ['2026-11-20', '2026-11-22'],
      {
        or: [
          { and: [at('>=', '2026-11-20'), at('<', '2026-11-21')] },
          { and: [at('>=', '2026-11-22'), at('<', '2026-11-23')] },
        ],
      },
    ],
  ])('compares when a record was made with %s (%s %s)', async (_, op, value, condition) => {
    expect(await planned({ where: where('created_at', op, value) })).toEqual({ where: condition });
  });
  test.each(['last month', '2026-02-30', true])('complains of %s as a date', async (value) => {
    await expect(planned({ where: where('updated_at', '=', value) })).rejects.toThrow(
      'a date such as "2026-11-20"',
    );
  });
  test('takes a short id of a candidate for the record behind it', async () => {
    const asked = { ...input, candidates: [{ ...item('Acme', {}), id: UUID }] };
    expect(await planned({ where: where('id', '=', 'R1') }, asked)).toEqual({
      where: { field: 'id', op: '=', value: UUID },
    });
  });
  test('is told the day of the week', async () => {
    expect(tasks.plan.shown(input).request.today).toBe('2026-11-20, Friday, UTC');
  });
});

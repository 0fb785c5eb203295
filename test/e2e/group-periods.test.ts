// rules.md: records 17, records 18. Groups by periods of dates and steps of numbers, through the API.
import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../functions/contract/json.ts';
import * as given from '../support/given.ts';
import { liveSource, setUp } from '../support/live-source.ts';
import { creates, monitorBody } from '../support/monitors.ts';
import { fetchedBy, groupsOf } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import { createsPlanRun, plan } from '../support/when.ts';

const tickets: JsonObject[] = [
  { at: '2025-12-31', total: 5, seen: ['2026-01-01', '2026-01-31', '2026-03-01'] },
  { at: '2025-12-31T23:30:00-01:00', total: 25, seen: ['2026-01-02', 'never'] },
  { at: Date.parse('2026-05-14T10:00:00Z'), total: 20, seen: [] },
  { at: '2026-05-11T00:00:00Z', total: 39.9, seen: '2026-03-31' },
  { at: 2026, total: '20' },
  { at: 'soon' },
  { at: '2026-02-30', total: -1 },
];

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  const lines = tickets.map((fields, i) => ({ type: 'ticket', name: `T${i}`, fields }));
  await given.entities(home.workspace_id, lines);
});

const grouped = async (by: unknown, field = 'at', params: Record<string, unknown> = {}) =>
  groupsOf(
    await fetchedBy(home, { source: 'tickets', group_by: [{ field, by }], sort: [{ field }], ...params }),
  );

test.each([
  ['day', ['2025-12-31', 1], ['2026-01-01', 1], ['2026-05-11', 1], ['2026-05-14', 1]],
  ['week', ['2025-12-29', 2], ['2026-05-11', 2]],
  ['month', ['2025-12', 1], ['2026-01', 1], ['2026-05', 2]],
  ['quarter', ['2025-Q4', 1], ['2026-Q1', 1], ['2026-Q2', 2]],
  ['year', ['2025', 1], ['2026', 3]],
])('rule 17: by %s, in order of time, with what is no date last', async (by, ...expected) => {
  const groups = [...expected, [null, 3]].map(([at, count]) => ({ at, count }));
  expect(await grouped(by)).toEqual(groups);
});

test('rule 17: numbers in steps of a width', async () => {
  expect(await grouped({ width: 20 }, 'total')).toEqual([
    { total: -20, count: 1 },
    { total: 0, count: 1 },
    { total: 20, count: 3 },
    { total: null, count: 2 },
  ]);
});

test('rule 17: a list counts once in each period of its elements', async () => {
  expect(await grouped('month', 'seen')).toEqual([
    { seen: '2026-01', count: 2 },
    { seen: '2026-03', count: 2 },
    { seen: null, count: 5 },
  ]);
});

test('rule 17: beside a name, with measures, by a time of the record itself', async () => {
  const outcome = await fetchedBy(home, {
    source: 'tickets',
    where: { field: 'total', op: '>', value: 0 },
    group_by: ['type', { field: 'created_at', by: 'year' }, { field: 'at', by: 'year' }],
    measures: [{ as: 'sum', op: 'sum', field: 'total' }],
  });
  const year = new Date().toISOString().slice(0, 4);
  expect(groupsOf(outcome)).toEqual([
    { type: 'ticket', created_at: year, at: '2026', sum: 84.9 },
    { type: 'ticket', created_at: year, at: '2025', sum: 5 },
  ]);
  expect(outcome.names).toEqual([`ticket / ${year} / 2026`, `ticket / ${year} / 2025`]);
});

test('rule 17: what came of a live source is grouped as records are', async () => {
  const items = tickets.map((fields, i) => ({ id: i, name: `T${i}`, fields }));
  const source = await liveSource(() => ({ items }));
  await setUp(home, { name: 'desk', kind: 'http', url: source.url, description: 'Tickets', fields: [] });
  const params = { group_by: [{ field: 'at', by: 'quarter' }], sort: [{ field: 'at', direction: 'desc' }] };
  expect(groupsOf(await fetchedBy(home, { source: 'desk', ...params }))).toEqual(
    groupsOf(await fetchedBy(home, { source: 'tickets', ...params })),
  );
  await source.close();
});

test('rule 17: the plan comes back as it was sent, in words too, and groups are the basis of data', async () => {
  const group_by = [{ field: 'at', by: 'month' }, 'type', { field: 'total', by: { width: 20 } }];
  const row = {
    type: 'object',
    properties: { at: { type: ['string', 'null'] }, count: { type: 'integer' } },
  };
  const output_schema = {
    type: 'object',
    properties: { months: { type: 'array', items: { ...row, required: ['count'] } } },
  };
  const steps = [
    { kind: 'fetch', params: { source: 'tickets', group_by } },
    { kind: 'reconstitute', params: { expected_artifacts: ['NONE'] } },
  ];
  const { body } = await createsPlanRun(home, steps, { output_schema });
  const { output, input } = await then.ended(home, body.id);
  expect(input.plan.steps[0].params.group_by).toEqual(group_by);
  const included = await call('GET', `/runs/${body.id}?include=plan`, { key: home.key });
  expect(included.body.plan.steps[0].params.group_by).toEqual(group_by);
  expect(output.data.months).toContainEqual({ at: '2026-05', count: 2 });
  expect(output.basis[0]).toMatchObject({ kind: 'group', step_index: 0 });
});

test('rule 18: an average has at most 12 digits, in every format', async () => {
  const outcome = await fetchedBy(home, {
    source: 'tickets',
    where: { field: 'total', op: 'in', value: [5, 25, 20] },
    measures: [{ as: 'mean', op: 'avg', field: 'total' }],
  });
  expect(groupsOf(outcome)).toEqual([{ mean: 16.6666666667 }]);
});

test.each([
  [[{ field: 'at', by: 'decade' }], '0.by'],
  [[{ field: 'at', by: 'Month' }], '0.by'],
  [[{ field: 'at' }], '0.by'],
  [[{ by: 'month' }], '0.field'],
  [[{ field: '', by: 'month' }], '0.field'],
  [['type', { field: 'at', by: 'month', timezone: 'UTC' }], '1.timezone'],
  [[{ field: 'at', by: {} }], '0.by.width'],
  [[{ field: 'at', by: { width: 0 } }], '0.by.width'],
  [[{ field: 'at', by: { width: -5 } }], '0.by.width'],
  [[{ field: 'at', by: { width: '5' } }], '0.by.width'],
  [[{ field: 'at', by: { width: 5, unit: 'm' } }], '0.by.unit'],
  [[{ field: 'at', by: null }], '0.by'],
  [[['at']], '0'],
  [[7], '0'],
  [['at', { field: 'at', by: 'month' }], '1'],
  [
    [
      { field: 'at', by: 'year' },
      { field: 'fields.at', by: 'month' },
    ],
    '1',
  ],
  [[{ field: 'count', by: { width: 5 } }], '0'],
])('rule 17: %j is refused with its place', async (group_by, place) => {
  const steps = [{ kind: 'fetch', params: { source: 'tickets', group_by } }];
  expectRefusal(await createsPlanRun(home, steps), 422, 'schema_validation_failed', {
    param: `plan.steps.0.params.group_by.${place}`,
  });
});

test('rule 17: a trial check and a monitor take it, and refuse what a run refuses', async () => {
  const run = (by: string) => ({
    input_type: 'plan',
    plan: plan({ kind: 'fetch', params: { source: 'tickets', group_by: [{ field: 'at', by }] } }),
  });
  const checked = (by: string) => call('POST', '/runs?validate_only=1', { key: home.key, body: run(by) });
  expect((await checked('week')).body).toMatchObject({ valid: true });
  expectRefusal(await checked('weekly'), 422, 'schema_validation_failed', {
    param: 'plan.steps.0.params.group_by.0.by',
  });
  expect((await creates(home, monitorBody({ run: run('week') }))).status).toBe(201);
  expectRefusal(await creates(home, monitorBody({ run: run('weekly') })), 422, 'schema_validation_failed', {
    param: 'run.plan.steps.0.params.group_by.0.by',
  });
});

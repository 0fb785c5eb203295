// Answers as data, as the offline model gives them (rules.md: output).
import { beforeAll, describe, expect, test } from 'vitest';
import type { OutputSchema } from '../../functions/contract/output-schema.ts';
import * as given from '../support/given.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
let ids: Record<string, string>;
beforeAll(async () => {
  home = await given.workspace();
  const found = await given.entities(home.workspace_id, [
    {
      ...{ type: 'company', name: 'Acme', external_uri: 'crm:acme' },
      fields: {
        city: 'Berlin',
        Founded_Year: 1999,
        tags: ['a', 'b'],
        address: { zip: '10' },
        size: '7',
        open: true,
        type: 'customer',
        constructor: 'own',
        day: '2026-02-28',
      },
    },
    { type: 'company', name: 'Borealis', fields: { city: 'Oslo', 'founded year': 2001, tags: [], size: 9 } },
    { type: 'company', name: 'Cobalt', fields: { foundedYear: 2010, day: '2026-02-30', tags: 'none' } },
  ]);
  ids = Object.fromEntries(found.map(({ name, id }) => [name, id]));
});

const string: OutputSchema = { type: 'string' };
const integer: OutputSchema = { type: 'integer' };
const maybe = (type: 'string' | 'integer' | 'number'): OutputSchema => ({ type: [type, 'null'] });
const object = (
  properties: Record<string, OutputSchema>,
  required = Object.keys(properties),
): OutputSchema => ({ type: 'object', properties, required });
const rows = (properties: Record<string, OutputSchema>, bounds: OutputSchema = {}) =>
  object({ rows: { type: 'array', items: object(properties), ...bounds } });
const companies = { kind: 'fetch', params: { source: 'companies', sort: [{ field: 'name' }] } };
const fetches = (params: object) => ({ kind: 'fetch', params: { source: 'companies', ...params } });
const acme = fetches({ where: { field: 'name', op: '=', value: 'Acme' } });

/** The ended run of a plan with this schema. */
async function run(output_schema: OutputSchema, steps: Record<string, unknown>[] = [companies, when.answer]) {
  const created = await when.createsPlanRun(home, steps, { output_schema });
  expect(created.body).toMatchObject({ output: null, input: { output_schema } });
  return then.ended(home, created.body.id);
}

/** The output of a run that succeeded. */
async function outputOf(...asked: Parameters<typeof run>) {
  const ended = await run(...asked);
  expect(ended).toMatchObject({ status: 'succeeded', errors: [] });
  return { ...ended.output, warnings: ended.warnings };
}

test('an array of objects takes an element for each item, by names that may be spelled otherwise', async () => {
  const ended = await run(rows({ name: string, foundedYear: integer }));
  expect(ended).toMatchObject({ status: 'succeeded', warnings: [], usage: { calls: 1 } });
  const basis = (row: number, name: string, field: string) => [
    { path: `/rows/${row}/name`, kind: 'record', entity_id: ids[name], field: 'name' },
    { path: `/rows/${row}/foundedYear`, kind: 'record', entity_id: ids[name], field },
  ];
  expect(ended.output).toEqual({
    data: {
      rows: [
        { name: 'Acme', foundedYear: 1999 },
        { name: 'Borealis', foundedYear: 2001 },
        { name: 'Cobalt', foundedYear: 2010 },
      ],
    },
    basis: [
      ...basis(0, 'Acme', 'Founded_Year'),
      ...basis(1, 'Borealis', 'founded year'),
      ...basis(2, 'Cobalt', 'foundedYear'),
    ],
  });
});

test('id, name, type and external_uri are properties, too; the record has its own fields first', async () => {
  const asked = rows({ id: string, name: string, type: string, external_uri: string });
  const { data, basis } = await outputOf(asked, [acme, when.answer]);
  expect(data.rows).toEqual([{ id: ids.Acme, name: 'Acme', type: 'customer', external_uri: 'crm:acme' }]);
  expect(basis.map(({ field }: { field: string }) => field)).toEqual([
    'id',
    'name',
    'fields.type',
    'external_uri',
  ]);
});

test('lists and nested objects come with a basis for each scalar', async () => {
  const asked = rows({ tags: { type: 'array', items: string }, address: object({ zip: string }) });
  const { data, basis } = await outputOf(asked, [acme, when.answer]);
  expect(data.rows).toEqual([{ tags: ['a', 'b'], address: { zip: '10' } }]);
  const of = { kind: 'record', entity_id: ids.Acme };
  expect(basis).toEqual([
    { path: '/rows/0/tags/0', ...of, field: 'tags' },
    { path: '/rows/0/tags/1', ...of, field: 'tags' },
    { path: '/rows/0/address/zip', ...of, field: 'address.zip' },
  ]);
});

test('a value that a record lacks is null where allowed, absent where optional, else the record is left out', async () => {
  const nullable = await outputOf(rows({ city: maybe('string') }));
  expect(nullable.data.rows).toEqual([{ city: 'Berlin' }, { city: 'Oslo' }, { city: null }]);
  expect(nullable.basis).toHaveLength(2);
  const optional = await outputOf(object({ rows: { type: 'array', items: object({ city: string }, []) } }));
  expect(optional.data.rows).toEqual([{ city: 'Berlin' }, { city: 'Oslo' }, {}]);
  const required = await outputOf(rows({ city: string }));
  expect(required.data.rows).toHaveLength(2);
  expect(required.warnings).toMatchObject([
    { code: 'output_incomplete', step_index: 1, details: { path: '/rows', left_out: 1 } },
  ]);
});

test.each<[string, OutputSchema, unknown[]]>([
  ['a number is no string', maybe('string'), ['7', null, null]],
  ['a string is no number', maybe('integer'), [null, 9, null]],
  ['a bound is part of the type', { type: ['integer', 'null'], maximum: 8 }, [null, null, null]],
  ['so is an enum', { type: ['string', 'null'], enum: ['8', null] }, [null, null, null]],
])('values are taken in the type of the schema or not at all: %s', async (_, size, expected) => {
  const { data } = await outputOf(rows({ size }));
  expect(data.rows.map((row: { size: unknown }) => row.size)).toEqual(expected);
});

test('names of the language are names like any other', async () => {
  const asked = rows({
    constructor: maybe('string'),
    'address.zip': maybe('string'),
    toString: maybe('string'),
  });
  const { data, basis } = await outputOf(asked, [acme, when.answer]);
  expect(data.rows).toEqual([{ constructor: 'own', 'address.zip': '10', toString: null }]);
  expect(basis).toHaveLength(2);
});

test('a date is one that exists', async () => {
  const { data } = await outputOf(rows({ day: { type: ['string', 'null'], format: 'date' } }));
  expect(data.rows).toEqual([{ day: '2026-02-28' }, { day: null }, { day: null }]);
});

test('a count is the number of the items, whatever the array keeps', async () => {
  const asked = rows({ name: string }, { maxItems: 2 });
  const { data, basis, warnings } = await outputOf({
    ...asked,
    properties: { ...asked.properties, count: integer, total: { type: 'number' } },
  });
  expect(data).toEqual({ rows: [{ name: 'Acme' }, { name: 'Borealis' }], count: 3, total: 3 });
  expect(basis.slice(2)).toEqual([
    { path: '/count', kind: 'count', step_index: 0 },
    { path: '/total', kind: 'count', step_index: 0 },
  ]);
  expect(warnings).toEqual([]);
});

describe('groups', () => {
  const byOpen = {
    group_by: ['open'],
    measures: [
      { as: 'n', op: 'count' },
      { as: 'largest', op: 'max', field: 'size' },
    ],
  };

  test('are items with their grouped fields and measures', async () => {
    const open: OutputSchema = { type: ['boolean', 'null'] };
    const { data, basis } = await outputOf(rows({ open, n: integer }), [fetches(byOpen), when.answer]);
    expect(data.rows).toEqual([
      { open: null, n: 2 },
      { open: true, n: 1 },
    ]);
    expect(basis[0]).toEqual({ path: '/rows/0/n', kind: 'group', field: 'n', step_index: 0 });
  });

  test('of exactly one, the count is its count measure', async () => {
    const asked = object({ count: integer, largest: { type: 'number' } });
    const { group_by: _, ...whole } = byOpen;
    const { data, basis } = await outputOf(asked, [fetches(whole), when.answer]);
    expect(data).toEqual({ count: 3, largest: 9 });
    expect(basis).toMatchObject([
      { path: '/count', kind: 'group', field: 'n' },
      { path: '/largest', kind: 'group', field: 'largest' },
    ]);
  });
});

test('a scalar of the root is that of the only item; a summary is the message', async () => {
  const asked = object({ name: string, city: string, summary: string });
  const ended = await run(asked, [acme, when.answer]);
  expect(ended.output.data).toEqual({ name: 'Acme', city: 'Berlin', summary: ended.message });
  expect(ended.output.basis).toEqual([
    { path: '/name', kind: 'record', entity_id: ids.Acme, field: 'name' },
    { path: '/city', kind: 'record', entity_id: ids.Acme, field: 'city' },
    { path: '/summary', kind: 'model' },
  ]);
});

test('a required scalar of the root without a value is null where allowed, else the step fails', async () => {
  const { data } = await outputOf(object({ city: maybe('string'), count: integer }));
  expect(data).toEqual({ city: null, count: 3 });
  const failed = await run(object({ 'a/b': string }));
  expect(failed).toMatchObject({ status: 'failed', output: null, resumable: true });
  expect(failed.errors).toMatchObject([
    {
      code: 'output_invalid',
      type: 'plan_error',
      details: { step_index: 1, issues: [{ path: '/a~1b', message: expect.any(String) }] },
    },
  ]);
});

test('too few elements are no answer', async () => {
  const failed = await run(rows({ name: string }, { minItems: 4 }));
  expect(failed.errors).toMatchObject([{ code: 'output_invalid', details: { issues: [{ path: '/rows' }] } }]);
});

test('what a transform wrote has the kind model, with its record and step, also after a filter', async () => {
  const transform = {
    kind: 'transform',
    params: { output_fields: ['city'] },
    instructions: 'write the city',
  };
  const filter = { kind: 'filter', instructions: 'companies' };
  const { basis } = await outputOf(rows({ name: string, city: { type: 'string' } }), [
    acme,
    transform,
    filter,
    when.answer,
  ]);
  expect(basis).toEqual([
    { path: '/rows/0/name', kind: 'record', entity_id: ids.Acme, field: 'name' },
    { path: '/rows/0/city', kind: 'model', entity_id: ids.Acme, field: 'city', step_index: 1 },
  ]);
});

test('context_step_ids say of which steps the items count; of several the last', async () => {
  const oslo = fetches({ where: { field: 'city', op: '=', value: 'Oslo' } });
  const answers = (params: object) => ({ kind: 'reconstitute', params });
  const asked = rows({ name: string });
  const last = await outputOf(asked, [companies, oslo, answers({})]);
  expect(last.data.rows).toEqual([{ name: 'Borealis' }]);
  const named = await outputOf(asked, [acme, oslo, answers({ context_step_ids: [0] })]);
  expect(named.data.rows).toEqual([{ name: 'Acme' }]);
});

test('without items a list is empty and a count is zero', async () => {
  const none = fetches({ where: { field: 'city', op: '=', value: 'Rome' } });
  const asked = object({ rows: { type: 'array', items: object({ name: string }) }, count: integer });
  expect((await outputOf(asked, [none, when.answer])).data).toEqual({ rows: [], count: 0 });
});

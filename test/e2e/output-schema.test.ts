// What an `output_schema` may be, and what is refused, with the place (rules.md: output 1, output 2).
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
});

const text = { type: 'string' };
const root = (a: object, others: object = {}) => ({ type: 'object', properties: { a }, ...others });
/** A schema whose innermost place is at this depth. */
const nested = (depth: number): object =>
  depth === 1 ? text : { type: 'object', properties: { a: nested(depth - 1) } };
const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, text]));
const sends = (output_schema: unknown, body: object = { input_type: 'plan', plan: when.plan(when.answer) }) =>
  call('POST', '/runs?validate_only=1', { key: home.key, body: { ...body, output_schema } });

test.each<[string, unknown, string]>([
  ['no object', 'text', ''],
  ['an empty schema', {}, ''],
  ['a root that is no object', { type: 'array', items: text }, '.type'],
  ['a root that may be null', { type: ['object', 'null'] }, '.type'],
  ['a keyword that is not known', root({ type: 'string', pattern: '.' }), '.properties.a.pattern'],
  ['one at the root', { type: 'object', $ref: '#' }, '.$ref'],
  ['one below items', root({ type: 'array', items: { anyOf: [] } }), '.properties.a.items.anyOf'],
  ['a type that is not known', root({ type: 'date' }), '.properties.a.type'],
  ['null alone', root({ type: 'null' }), '.properties.a.type'],
  ['a list of two types', root({ type: ['string', 'number'] }), '.properties.a.type'],
  ['a list of one type', root({ type: ['string'] }), '.properties.a.type'],
  ['neither type nor enum', root({ title: 'A' }), '.properties.a'],
  ['an array without items', root({ type: 'array' }), '.properties.a.items'],
  ['items that are a list', root({ type: 'array', items: [text] }), '.properties.a.items'],
  ['a required name that is no property', root(text, { required: ['a', 'b'] }), '.required.1'],
  ['an empty enum', root({ enum: [] }), '.properties.a.enum'],
  [
    'an enum of more than 100',
    root({ enum: Array.from({ length: 101 }, (_, i) => i) }),
    '.properties.a.enum',
  ],
  ['an enum of objects', root({ enum: [{}] }), '.properties.a.enum.0'],
  ['a format that is not known', root({ type: 'string', format: 'email' }), '.properties.a.format'],
  ['additionalProperties', root(text, { additionalProperties: true }), '.additionalProperties'],
  ['a size below zero', root({ type: 'string', minLength: -1 }), '.properties.a.minLength'],
  ['a size in parts', root({ type: 'array', items: text, maxItems: 1.5 }), '.properties.a.maxItems'],
  ['a bound that is no number', root({ type: 'number', minimum: '1' }), '.properties.a.minimum'],
  ['nine levels', nested(9), '.properties.a'.repeat(8)],
  ['more than 200 properties', { type: 'object', properties: named(201) }, '.properties'],
  ['more than 64 KB', root({ type: 'string', description: 'x'.repeat(65_536) }), ''],
])('%s is refused', async (_, schema, place) => {
  const { status, body } = await sends(schema);
  expect([status, body.error.code, body.error.param]).toEqual([
    422,
    'schema_validation_failed',
    `output_schema${place}`,
  ]);
});

test('eight levels, 200 properties and every keyword are taken', async () => {
  const every = {
    ...{ type: ['string', 'null'], enum: ['a', null, 1, true], minLength: 0, maxLength: 9, format: 'date' },
    ...{ title: 'A', description: 'B', minimum: 1, maximum: 2.5, minItems: 0, maxItems: 1 },
  };
  for (const schema of [
    nested(8),
    { type: 'object', properties: named(200) },
    root(every),
    { type: 'object' },
  ])
    expect((await sends(schema)).body).toMatchObject({ valid: true });
  const closed = root({ enum: ['constructor'] }, { required: ['a'], additionalProperties: false });
  expect((await sends(closed, { input_type: 'query', query: 'companies in Berlin' })).status).toBe(200);
});

test('a plan needs a step that writes the answer, and a preset takes no schema', async () => {
  const schema = { type: 'object' };
  const without = await sends(schema, { input_type: 'plan', plan: when.plan(when.fetchCompanies) });
  const preset = { input_type: 'preset', preset: 'dossier', params: { entity: { id: home.workspace_id } } };
  for (const { status, body } of [without, await sends(schema, preset)])
    expect([status, body.error.code, body.error.param]).toEqual([
      422,
      'schema_validation_failed',
      'output_schema',
    ]);
});

test('the schema is part of the request: another one under the same Idempotency-Key is a conflict', async () => {
  const headers = { 'Idempotency-Key': 'same' };
  const creates = (output_schema?: object) =>
    when.createsPlanRun(
      home,
      [when.fetchCompanies, when.answer],
      output_schema && { output_schema },
      headers,
    );
  const first = await creates(root({ type: 'string' }));
  expect(first.status).toBe(202);
  expect((await creates(root({ type: 'integer' }))).body.error.code).toBe('idempotency_key_conflict');
  expect((await creates()).body.error.code).toBe('idempotency_key_conflict');
  const ended = await then.ended(home, first.body.id);
  expect(ended).toMatchObject({ status: 'succeeded', output: { data: {}, basis: [] } });
  const replayed = await creates(root({ type: 'string' }));
  expect([replayed.status, replayed.body.output]).toEqual([200, ended.output]);
});

test('a query is planned with a step that writes the data; lists show neither schema nor output', async () => {
  const output_schema = { type: 'object', properties: { count: { type: 'integer' }, summary: text } };
  const body = { input_type: 'query', query: 'How many companies are in Berlin?', output_schema };
  const created = await call('POST', '/runs', { key: home.key, body });
  expect(created.body.input).toEqual(body);
  const ended = await then.ended(home, created.body.id);
  expect(ended.output).toEqual({
    data: { count: 2, summary: ended.message },
    basis: [
      { path: '/count', kind: 'group', field: 'count', step_index: 0 },
      { path: '/summary', kind: 'model' },
    ],
  });
  const plain = await when.createsPlanRun(home, [when.answer]);
  expect(plain.body).not.toHaveProperty('output');
  const list = await call('GET', '/runs', { key: home.key });
  for (const run of list.body.data) expect(run).not.toHaveProperty('output');
});

test('a rerun has the schema of its source, and its output where the step that writes it is skipped', async () => {
  const output_schema = root({ type: 'string' }, { properties: { count: { type: 'integer' } } });
  const steps = [
    when.fetchCompanies,
    { kind: 'reconstitute' },
    { kind: 'analyze', instructions: 'compare them' },
  ];
  const { body } = await when.createsPlanRun(home, steps, { output_schema });
  const source = await then.ended(home, body.id);
  expect(source.output.data).toEqual({ count: 3 });
  for (const stepIndex of [0, 1, 2]) {
    const created = await when.rerunsFrom(home, source.id, stepIndex);
    expect(created.body.input).toEqual(source.input);
    const rerun = await then.ended(home, created.body.id);
    expect([rerun.status, rerun.output]).toEqual(['succeeded', source.output]);
  }
});

test('include=plan has the plan alone: the schema stays in the input', async () => {
  const { body } = await when.createsPlanRun(home, [when.answer], { output_schema: { type: 'object' } });
  const read = await call('GET', `/runs/${body.id}?include=plan`, { key: home.key });
  expect(Object.keys(read.body.plan)).toEqual(['title', 'steps']);
  expect(read.body.input.output_schema).toEqual({ type: 'object' });
});

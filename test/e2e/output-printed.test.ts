// rules.md: output 8, output 9. Schemas as tools print them, and arrays that are never empty without a word.
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.entities(home.workspace_id, [
    { type: 'company', name: 'Acme', fields: { city: 'Berlin', size: 7, tags: ['a', 'b'] } },
    { type: 'company', name: 'Borealis', fields: { city: 'Oslo', size: 9 } },
    { type: 'company', name: 'Cobalt', fields: { size: 11 } },
  ]);
});

const text = { type: 'string' };
const object = (properties: object, others: object = {}) => ({ type: 'object', properties, ...others });
const list = (items: object, others: object = {}) => ({ type: 'array', items, ...others });
const companies = { kind: 'fetch', params: { source: 'companies', sort: [{ field: 'name' }] } };
const grouped = {
  kind: 'fetch',
  params: { source: 'companies', group_by: ['city'], sort: [{ field: 'city' }] },
};
const only = {
  kind: 'fetch',
  params: { source: 'companies', where: { field: 'name', op: '=', value: 'Acme' } },
};

async function run(output_schema: object, step: Record<string, unknown> = companies) {
  const created = await when.createsPlanRun(home, [step, when.answer], { output_schema });
  expect(created).toMatchObject({ status: 202, body: { input: { output_schema } } });
  const { status, output, warnings, errors, input } = await then.ended(home, created.body.id);
  expect(input.output_schema).toEqual(output_schema);
  const left = warnings.filter(({ code }: { code: string }) => code === 'output_incomplete');
  return {
    status,
    data: output?.data,
    errors,
    left: left.map(({ details }: { details: object }) => details),
  };
}

const checks = (output_schema: object) =>
  call('POST', '/runs?validate_only=1', {
    key: home.key,
    body: { input_type: 'plan', plan: when.plan(when.answer), output_schema },
  });

describe('a schema as it is printed', () => {
  test('by Zod is taken: $schema, nullable, literal, default', async () => {
    const printed = z.toJSONSchema(
      z.object({
        rows: z.array(
          z.object({
            name: z.string(),
            city: z.string().nullable(),
            kind: z.literal('big').nullable().default(null),
            size: z.int(),
          }),
        ),
      }),
    );
    expect(printed).toHaveProperty('$schema');
    const { data, left } = await run(printed);
    expect(data.rows).toEqual([
      { name: 'Acme', city: 'Berlin', kind: null, size: 7 },
      { name: 'Borealis', city: 'Oslo', kind: null, size: 9 },
      { name: 'Cobalt', city: null, kind: null, size: 11 },
    ]);
    expect(left).toEqual([]);
  });

  test('by Pydantic is taken: $defs, $ref with a description beside it, anyOf null, const', async () => {
    // What `Answer.model_json_schema()` prints.
    const printed = {
      $defs: {
        Row: {
          properties: {
            name: { title: 'Name', type: 'string' },
            city: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'City' },
            type: { const: 'company', default: 'company', title: 'Type', type: 'string' },
          },
          required: ['name'],
          title: 'Row',
          type: 'object',
        },
      },
      properties: {
        rows: { items: { $ref: '#/$defs/Row' }, title: 'Rows', type: 'array' },
        first: { anyOf: [{ $ref: '#/$defs/Row' }, { type: 'null' }], default: null, description: 'One' },
      },
      required: ['rows'],
      title: 'Answer',
      type: 'object',
    };
    const { data } = await run(printed);
    expect(data.rows[2]).toEqual({ name: 'Cobalt', city: null, type: 'company' });
    expect(data.first).toBeNull();
  });

  test('a root that is a $ref, and names with signs, are taken', async () => {
    const $defs = { 'a/b~c d': object({ count: { type: 'integer' } }) };
    const { data } = await run({ $ref: '#/$defs/a~1b~0c%20d', $defs });
    expect(data).toEqual({ count: 3 });
  });

  const node = object({ next: { $ref: '#/$defs/Node' } });
  const wide = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}`, { $ref: '#/$defs/Wide' }]));
  test.each<[string, object, string]>([
    [
      'one that contains itself',
      object({ a: { $ref: '#/$defs/Node' } }, { $defs: { Node: node } }),
      '.$defs.Node.properties.next.$ref',
    ],
    ['a name that is not there', object({ a: { $ref: '#/$defs/None' } }), '.properties.a.$ref'],
    ['the root', object({ a: { $ref: '#' } }), '.properties.a.$ref'],
    ['another document', object({ a: { $ref: 'https://example.com/a' } }), '.properties.a.$ref'],
    [
      'a $ref with bounds beside it',
      object({ a: { $ref: '#/$defs/A', minLength: 1 } }, { $defs: { A: text } }),
      '.properties.a.$ref',
    ],
    ['$defs below the root', object({ a: { ...object({}), $defs: {} } }), '.properties.a.$defs'],
    ['anyOf of two types', object({ a: { anyOf: [text, { type: 'number' }] } }), '.properties.a.anyOf'],
    [
      'anyOf of null twice',
      object({ a: { anyOf: [{ type: 'null' }, { type: 'null' }] } }),
      '.properties.a.anyOf',
    ],
    ['anyOf of three', object({ a: { anyOf: [text, text, { type: 'null' }] } }), '.properties.a.anyOf'],
    ['const beside enum', object({ a: { const: 'a', enum: ['a'] } }), '.properties.a.const'],
    ['const of an object', object({ a: { const: {} } }), '.properties.a.const'],
    [
      'what a $ref names is refused at its place',
      object({ a: { $ref: '#/$defs/A' } }, { $defs: { A: {} } }),
      '.$defs.A',
    ],
    [
      'more than 200 properties in all, once expanded',
      object(wide, {
        $defs: { Wide: object(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`q${i}`, text]))) },
      }),
      '.properties',
    ],
    [
      'nine levels, once expanded',
      object(
        { a: { $ref: '#/$defs/A' } },
        {
          $defs: Object.fromEntries(
            [...'ABCDEFGH']
              .map((name, i): [string, object] => [
                name,
                object({ a: { $ref: `#/$defs/${'ABCDEFGHI'[i + 1]}` } }),
              ])
              .concat([['I', text]]),
          ),
        },
      ),
      '.$defs.G.properties.a',
    ],
  ])('%s is refused with its place', async (_, schema, place) => {
    const { status, body } = await checks(schema);
    expect([status, body.error.param]).toEqual([422, `output_schema${place}`]);
  });
});

describe('bounds that no value can meet are refused:', () => {
  test.each<[object, string]>([
    [{ type: 'string', minLength: 5, maxLength: 2 }, 'minLength'],
    [{ type: 'number', minimum: 2, maximum: 1 }, 'minimum'],
    [{ type: 'integer', minimum: 0.2, maximum: 0.8 }, 'minimum'],
    [list(text, { minItems: 3, maxItems: 2 }), 'minItems'],
    [list(text, { minItems: 2000 }), 'minItems'],
    [{ type: 'string', enum: [1] }, 'enum'],
    [{ type: 'integer', enum: ['a', 1.5] }, 'enum'],
    [{ type: 'integer', const: 'a' }, 'enum'],
  ])('%j', async (schema, keyword) => {
    const { status, body } = await checks(object({ a: schema }));
    expect([status, body.error.param]).toEqual([422, `output_schema.properties.a.${keyword}`]);
  });

  test.each([
    { type: 'string', minLength: 2, maxLength: 2 },
    { type: 'integer', minimum: 1, maximum: 1 },
    { type: ['string', 'null'], enum: [null] },
    { type: ['integer', 'null'], enum: ['a', 1] },
    list(text, { minItems: 1000, maxItems: 1000 }),
  ])('but not %j', async (schema) => {
    expect((await checks(object({ a: schema }))).body).toMatchObject({ valid: true });
  });
});

describe('an array', () => {
  test('of texts or numbers has the field of its name, or whose plural its name is, of each item', async () => {
    const { data, left } = await run(object({ names: list(text), size: list({ type: 'integer' }) }));
    expect(data).toEqual({ names: ['Acme', 'Borealis', 'Cobalt'], size: [7, 9, 11] });
    expect(left).toEqual([]);
  });

  test('tells of elements that lack the value, or of all when nothing has it', async () => {
    const { data, left } = await run(object({ cities: list(text), colours: list(text) }));
    expect(data).toEqual({ cities: ['Berlin', 'Oslo'], colours: [] });
    expect(left).toEqual([
      { path: '/cities', left_out: 1 },
      { path: '/colours', left_out: 3 },
    ]);
  });

  test('is the list of the only item', async () => {
    expect((await run(object({ tags: list(text), names: list(text) }), only)).data).toEqual({
      tags: ['a', 'b'],
      names: ['Acme'],
    });
  });

  test('may stand in an object', async () => {
    const inner = object({ rows: list(object({ name: text })), count: { type: 'integer' } });
    const { data } = await run(object({ result: inner }));
    expect(data).toEqual({
      result: { rows: [{ name: 'Acme' }, { name: 'Borealis' }, { name: 'Cobalt' }], count: 3 },
    });
  });

  test('that is absent because it has too few elements tells of them', async () => {
    const { data, left, status } = await run(
      object({ rows: list(object({ name: text }), { minItems: 10 }) }),
    );
    expect([status, data]).toEqual(['succeeded', {}]);
    expect(left).toEqual([{ path: '/rows', left_out: 3 }]);
  });

  test('of groups has grouped fields and measures alone: a group has no id, name, type or external_uri', async () => {
    const group = object({
      id: text,
      name: text,
      type: text,
      external_uri: text,
      city: text,
      count: { type: 'integer' },
    });
    const { data } = await run(object({ rows: list(group), names: list(text) }), grouped);
    expect(data.rows).toEqual([{ city: 'Berlin', count: 1 }, { city: 'Oslo', count: 1 }, { count: 1 }]);
    expect(data.names).toEqual([]);
  });
});

// Answers as data from a provider's model: it refers to values, the service fills them in (rules.md: output 3, output 4).
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Home } from '../support/given.ts';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let server: OpenAiServer;
let own: OwnService;
beforeAll(async () => {
  server = await openAiServer();
  const PRICES = JSON.stringify({ test: { input: 1, cached_input: 0.1, output: 4 } });
  own = await ownService({ MODEL: server.spec, PRICES });
});
afterAll(async () => {
  await own.stop();
  await server.close();
});
afterEach(() => {
  Object.assign(server, { trouble: {}, asked: [] });
});

const string = { type: 'string' };
const output_schema = {
  type: 'object',
  properties: {
    best: {
      type: 'array',
      items: {
        type: 'object',
        properties: { label: string, city: string, why: string },
        required: ['label', 'why'],
      },
    },
    read: { type: 'integer' },
    summary: string,
  },
  required: ['best', 'read'],
};
const value = { item: null, field: null, step_index: null, text: null };
const good = {
  message: 'Two stand out.',
  texts: [],
  table_title: '',
  lists: [{ path: '/best', step_index: null, items: [2, 0] }],
  columns: [{ path: '/best/*/label', field: 'name' }],
  values: [
    { ...value, path: '/best/0/why', from: 'text', text: 'It grows.' },
    { ...value, path: '/best/1/why', from: 'text', text: 'It is large.' },
    { ...value, path: '/read', from: 'count', step_index: 0 },
    { ...value, path: '/summary', from: 'message' },
  ],
};
const says = (answer: unknown) => ({ says: typeof answer === 'string' ? answer : JSON.stringify(answer) });

/** The ended run whose model gives these answers. */
async function answeredBy(...answers: unknown[]) {
  return answeredAt(await own.home(), ...answers);
}

async function answeredAt(home: Home, ...answers: unknown[]) {
  server.trouble.reconstitute_data = answers.map(says);
  const steps = [
    { kind: 'fetch', params: { source: 'companies', sort: [{ field: 'name' }] } },
    { kind: 'reconstitute', params: { expected_artifacts: ['NONE'] } },
  ];
  const { body } = await when.createsPlanRun(home, steps, { output_schema });
  return then.ended(home, body.id);
}

test('message and references come in one call, and its values are those of the records', async () => {
  const home = await own.home();
  const run = await answeredAt(home, good);
  expect(run).toMatchObject({ status: 'succeeded', message: 'Two stand out.', usage: { calls: 1 } });
  expect(server.asked.map(({ task }) => task)).toEqual(['reconstitute_data']);
  const { data, request } = server.asked[0] ?? {};
  expect(request.output_schema).toEqual(output_schema);
  const [first, , third] = data.items;
  expect(run.output.data).toEqual({
    best: [
      { label: third.name, city: third.fields.city, why: 'It grows.' },
      { label: first.name, city: first.fields.city, why: 'It is large.' },
    ],
    read: 10,
    summary: 'Two stand out.',
  });
  // The prompt has short ids only.
  const idOf = async ({ name }: { name: string }) => {
    const { body } = await call('GET', `/entities?query=${encodeURIComponent(name)}`, home);
    return body.data.find((entity: { entity_name: string }) => entity.entity_name === name).entity_id;
  };
  const [firstId, thirdId] = [await idOf(first), await idOf(third)];
  expect(run.output.basis).toEqual([
    { path: '/best/0/label', kind: 'record', entity_id: thirdId, field: 'name' },
    { path: '/best/0/city', kind: 'record', entity_id: thirdId, field: 'city' },
    { path: '/best/0/why', kind: 'model' },
    { path: '/best/1/label', kind: 'record', entity_id: firstId, field: 'name' },
    { path: '/best/1/city', kind: 'record', entity_id: firstId, field: 'city' },
    { path: '/best/1/why', kind: 'model' },
    { path: '/read', kind: 'count', step_index: 0 },
    { path: '/summary', kind: 'model' },
  ]);
});

test.each<[string, unknown]>([
  ['an item that does not exist', { ...good, lists: [{ path: '/best', step_index: null, items: [99] }] }],
  [
    'a place that the schema lacks',
    { ...good, values: [{ ...value, path: '/worst', from: 'text', text: 'x' }] },
  ],
  ['a number in its own words', { ...good, values: [{ ...value, path: '/read', from: 'text', text: '5' }] }],
  ['a value in place of a reference', { ...good, lists: [{ path: '/best', items: [{ label: 'Acme' }] }] }],
  ['JSON that breaks off', JSON.stringify(good).slice(0, 90)],
  ['no JSON', 'Here you are.'],
])('an answer with %s is repaired once, by a call that counts', async (_, bad) => {
  const run = await answeredBy(bad, good);
  expect(run).toMatchObject({ status: 'succeeded', usage: { calls: 2 }, output: { data: { read: 10 } } });
});

test('an answer that does not hold twice fails the step with its issues', async () => {
  const bad = { ...good, values: [{ ...value, path: '/read', from: 'text', text: '5' }] };
  const run = await answeredBy(bad, bad);
  expect(run).toMatchObject({ status: 'failed', output: null, resumable: true, usage: { calls: 2 } });
  expect(run.errors).toMatchObject([
    {
      code: 'output_invalid',
      details: {
        step_index: 1,
        issues: expect.arrayContaining([{ path: '/read', message: expect.any(String) }]),
      },
    },
  ]);
  const none = await answeredBy('Well,', 'let me think.');
  expect(none.errors).toMatchObject([{ code: 'output_invalid', details: { issues: [{ path: '' }] } }]);
});

test('members beyond the form of an answer are dropped', async () => {
  const run = await answeredBy({ ...good, data: { best: 'invented' }, output: { read: 7 } });
  expect(run.output.data.read).toBe(10);
});

// Conditions, orders and measures that a model plans: a flat answer becomes the contract's params, a broken one is
// repaired once.
import { afterEach, describe, expect, test } from 'vitest';
import { createModel } from '#models/create-model.ts';
import { emptyStep } from '../../support/task-answers.ts';
import { ask, shape } from './given.ts';
import { type Answer, type Provider, provider, said } from './wire.ts';

let server: Provider | undefined;
afterEach(async () => {
  await server?.close();
});
const sent = (i = 0) => JSON.parse(server?.received[i]?.body ?? '{}');

const planOf = (params: object): Answer =>
  said({
    title: 'Plan',
    steps: [
      { ...emptyStep, kind: 'fetch', title: 'Fetch', ...params },
      { ...emptyStep, kind: 'reconstitute', title: 'Answer' },
    ],
  });

async function planWith(...answers: Answer[]) {
  server = await provider(...answers);
  const model = createModel(`openai:small@${server.url}/v1`);
  const input = { query: 'q', interpretation: 'i', shape, values: [], candidates: [], today: '2026-11-20' };
  return (await ask(model, 'plan', input)).output;
}
const paramsWith = async (...answers: Answer[]) => (await planWith(...answers)).steps[0]?.params;

const berlin = { field: 'city', op: '=', value: 'Berlin' };
const munich = { field: 'city', op: '=', value: 'Munich' };
const large = { field: 'revenue', op: '>', value: 990 };
const group = (...any_of: object[]) => ({ not: false, any_of });

describe('what a model plans about fields', () => {
  test.each([
    ['one condition', [group(berlin)], berlin],
    ['an alternative', [group(berlin, munich)], { or: [berlin, munich] }],
    ['several groups', [group(berlin, munich), group(large)], { and: [{ or: [berlin, munich] }, large] }],
    ['a negation', [{ not: true, any_of: [berlin, munich] }], { not: { or: [berlin, munich] } }],
  ])('%s becomes a where of the contract', async (_, where, expected) => {
    expect(await paramsWith(planOf({ where }))).toEqual({ where: expected });
  });
  test('order, groups and measures become params', async () => {
    const params = {
      sort: [{ field: 'mean', direction: 'desc' }],
      limit: 5,
      group_by: ['industry'],
      measures: [
        { as: 'n', op: 'count', field: null },
        { as: 'mean', op: 'avg', field: 'revenue' },
      ],
    };
    expect(await paramsWith(planOf(params))).toEqual({
      ...params,
      measures: [
        { as: 'n', op: 'count' },
        { as: 'mean', op: 'avg', field: 'revenue' },
      ],
    });
  });
  test('empty lists have no effect', async () => {
    const empty = { where: [], sort: [], group_by: [], measures: [], entity_types: [] };
    expect(await paramsWith(planOf(empty))).toEqual({});
  });
  test('the form is strict: every property is required, none is recursive', async () => {
    await planWith(planOf({}));
    const { schema, strict } = sent().response_format.json_schema;
    expect(strict).toBe(true);
    expect(JSON.stringify(schema)).not.toContain('$ref');
    const step = schema.properties.steps.items;
    expect(step.required.toSorted()).toEqual(Object.keys(step.properties).toSorted());
  });
});

describe('a broken where is sent back with what is wrong', () => {
  const good = planOf({ where: [group(berlin)] });
  test.each([
    ['an operator that does not exist', { ...berlin, op: 'is' }, 'where[0].any_of[1].op'],
    ['a list for one value', { ...berlin, value: ['Berlin'] }, 'where[0].any_of[1].value'],
    ['one value for a list', { ...berlin, op: 'in' }, 'where[0].any_of[1].value'],
    ['no field', { ...berlin, field: '' }, 'where[0].any_of[1].field'],
    [
      'a field that no record has',
      { ...berlin, field: 'mood' },
      'no record of these types has the field "mood"',
    ],
    ['a text for a field of numbers', { ...large, value: '990' }, '"revenue" holds number only'],
  ])('%s', async (_, condition, complaint) => {
    expect(await paramsWith(planOf({ where: [group(large, condition)] }), good)).toEqual({ where: berlin });
    expect(server?.received).toHaveLength(2);
    expect(sent(1).messages.at(-1).content).toContain(complaint);
  });
  test.each([
    ['of notes', { source: 'notes', where: [group(berlin)] }, 'steps.0.where'],
    [
      'of groups in an order by something else',
      { group_by: ['city'], sort: [{ field: 'revenue', direction: 'asc' }] },
      'steps.0.sort.0.field',
    ],
  ])('%s', async (_, params, complaint) => {
    expect(await paramsWith(planOf(params), good)).toEqual({ where: berlin });
    expect(sent(1).messages.at(-1).content).toContain(complaint);
  });
  test('fields of sorts, groups and measures that no record has', async () => {
    const params = {
      sort: [{ field: 'n', direction: 'desc' }],
      group_by: ['planet'],
      measures: [{ as: 'n', op: 'sum', field: 'gravity' }],
    };
    expect(await paramsWith(planOf(params), good)).toEqual({ where: berlin });
    const complaint = sent(1).messages.at(-1).content;
    expect(complaint).toContain('"planet"');
    expect(complaint).toContain('"gravity"');
    expect(complaint).not.toContain('"n"');
  });
  test('too many conditions', async () => {
    const many = Array.from({ length: 51 }, () => group(berlin));
    expect(await paramsWith(planOf({ where: many }), good)).toEqual({ where: berlin });
    expect(sent(1).messages.at(-1).content).toContain('where');
  });
  test('twice: the call fails, and reports what was wrong', async () => {
    const broken = planOf({ where: [group({ ...large, value: '990' })] });
    await expect(planWith(broken, broken)).rejects.toMatchObject({
      name: 'ModelError',
      transient: false,
      message: expect.stringContaining('"revenue" holds number only'),
    });
    expect(server?.received).toHaveLength(2);
  });
});

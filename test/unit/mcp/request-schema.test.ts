// rules.md: agents 8. What agents see of a request: the schemas of the document, as one object, in brief and whole.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import contract from '../../../clients/mcp/contract.json' with { type: 'json' };
import { bodyExamples } from '../../../functions/contract/document/examples.ts';
import { stepExamples } from '../../../functions/contract/document/step-examples.ts';
import { CreateRun } from '../../../functions/contract/runs.ts';
import { stepKinds } from '../../../functions/contract/steps.ts';

const { whole, brief, checked } = contract.request;
const ajv = new Ajv2020({ strict: false, formats: { uuid: true } });
const forms = [
  ['whole', ajv.compile(whole)],
  ['brief', ajv.compile(brief)],
] as const;
const planOf = (steps: object[]) => ({ input_type: 'plan', plan: { title: 'T', steps } });

test.each([whole, brief, checked])(
  'the root is an object, without variants that agents cannot read',
  (schema) => {
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(Object.keys(schema)).not.toEqual(expect.arrayContaining(['oneOf', 'anyOf', 'allOf']));
  },
);

describe.each(forms)('the %s schema', (_, isValid) => {
  test.each([
    bodyExamples.CreateRun,
    { input_type: 'query', query: 'x', config: { strict_mode: false } },
    { input_type: 'preset', preset: 'dossier', params: { entity: { external_uri: 'crm:acme' } } },
    planOf([{ kind: 'fetch', title: 'x', params: { group_by: ['a', { field: 'b', by: 'month' }] } }]),
  ])('allows %j', (body) => expect(isValid(body)).toBe(true));

  test.each([
    { input_type: 'query', query: 'x', verbose: true },
    { input_type: 'plan', plan: '{"title":"T"}' },
    planOf([{ kind: 'fetch', title: 'x', params: { wher: {} } }]),
    planOf([{ kind: 'fetch', title: 'x', params: { where: { field: 'a', op: 'like', value: 1 } } }]),
    planOf([{ kind: 'fetch', title: 'x', params: { where: { field: 'a', op: '>', value: true } } }]),
    planOf([{ kind: 'analyze', title: 'x', context_step_ids: [0] }]),
    planOf([{ kind: 'filter', title: 'x' }]),
  ])('refuses %j', (body) => expect(isValid(body)).toBe(false));

  test.each(stepKinds)('allows the example of %s', (kind) => {
    expect(isValid(planOf([stepExamples[kind]]))).toBe(true);
  });
});

test.each(stepKinds)('the whole schema shows an example of %s, which the service takes', (kind) => {
  expect(CreateRun.safeParse(planOf([stepExamples[kind]])).success).toBe(true);
  expect(JSON.stringify(whole.$defs)).toContain(JSON.stringify(stepExamples[kind]));
});

test('every field of a plan and of the options is described in brief', () => {
  const text = JSON.stringify(brief);
  for (const kind of stepKinds)
    expect(text).toContain(`{"kind":{"const":"${kind}"},"params":{"type":"object"`);
  for (const name of Object.keys(whole.$defs.RunConfig.properties)) expect(text).toContain(`"${name}":{`);
  expect(Object.keys(checked.properties).toSorted()).toEqual(Object.keys(brief.properties).toSorted());
});

// What agents see of a request: the schemas of the document, as one object.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import contract from '../../../clients/mcp/contract.json' with { type: 'json' };
import { bodyExamples } from '../../../functions/contract/document/examples.ts';
import { stepExamples } from '../../../functions/contract/document/step-examples.ts';
import { CreateRun } from '../../../functions/contract/runs.ts';
import { stepKinds } from '../../../functions/contract/steps.ts';

const isValid = new Ajv2020({ strict: false }).compile(contract.request);
const planOf = (steps: object[]) => ({ input_type: 'plan', plan: { title: 'T', steps } });

test('the root is an object, without variants that agents cannot read', () => {
  expect(contract.request).toMatchObject({ type: 'object', additionalProperties: false });
  expect(Object.keys(contract.request)).not.toEqual(expect.arrayContaining(['oneOf', 'anyOf', 'allOf']));
});

test.each([
  bodyExamples.CreateRun,
  { input_type: 'query', query: 'x', config: { strict_mode: false } },
  { input_type: 'preset', preset: 'dossier', params: { entity: { external_uri: 'crm:acme' } } },
])('%j is valid', (body) => expect(isValid(body)).toBe(true));

test.each([
  { input_type: 'query', query: 'x', verbose: true },
  { input_type: 'plan', plan: '{"title":"T"}' },
  planOf([{ kind: 'fetch', title: 'x', params: { wher: {} } }]),
  planOf([{ kind: 'fetch', title: 'x', params: { where: { field: 'a', op: 'like', value: 1 } } }]),
  planOf([{ kind: 'analyze', title: 'x', context_step_ids: [0] }]),
])('%j is not', (body) => expect(isValid(body)).toBe(false));

test.each(stepKinds)('the example of %s is valid, and each kind shows its own', (kind) => {
  const body = planOf([stepExamples[kind]]);
  expect(isValid(body)).toBe(true);
  expect(CreateRun.safeParse(body).success).toBe(true);
  expect(JSON.stringify(contract.request.$defs)).toContain(JSON.stringify(stepExamples[kind]));
});

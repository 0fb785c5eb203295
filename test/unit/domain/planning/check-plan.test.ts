// rules.md: query 6, query 7. A drafted plan is compared with what the workspace has.
import { expect, test } from 'vitest';
import { nonsenseIn, spelledAsRecorded } from '#domain/planning/check-plan.ts';
import type { AskRecords } from '#domain/records/records-client.ts';

const named = { types: ['company', 'person'], sources: ['crm'] };
const step = (kind: 'fetch' | 'filter' | 'reconstitute' | 'vector_search', params = {}) => ({
  kind,
  title: 'x',
  params,
});

test.each([
  ['a fetch of a type', [step('fetch', { source: 'companies' }), step('reconstitute')]],
  ['a fetch of several types', [step('fetch', { entity_types: ['Company', 'people'] })]],
  ['a live source', [step('fetch', { source: 'crm', entity_types: ['deal'] })]],
  ['notes', [step('fetch', { source: 'notes' }), step('filter')]],
])('query 6: %s makes sense', (_, steps) => {
  expect(nonsenseIn(steps, named)).toEqual([]);
});

test.each([
  ['only writes', [step('reconstitute')], ['No step reads anything']],
  ['filters before it reads', [step('filter'), step('fetch')], ['steps[0]: filter comes before']],
  ['names an unknown type', [step('fetch', { entity_types: ['firm'] })], ['no type "firm"']],
  ['names an unknown source', [step('vector_search', { source: 'erp' })], ['no type "erp"']],
])('query 6: a plan that %s does not', (_, steps, complaints) => {
  const found = nonsenseIn(steps, named);
  expect(found).toHaveLength(complaints.length);
  for (const [i, complaint] of complaints.entries()) expect(found[i]).toContain(complaint);
});

test('query 6: types beyond those that were read are not judged', () => {
  expect(nonsenseIn([step('fetch', { entity_types: ['firm'] })], { ...named, types: undefined })).toEqual([]);
});

/** Records with these cities. */
const recordsIn = (...cities: string[]): AskRecords =>
  // Only these questions are asked.
  (async (operation: string, input: { where?: { value?: unknown }; text?: string }) => {
    if (operation === 'find')
      return { hits: [], matched: cities.filter((city) => city === input.where?.value).length };
    const text = input.text?.toLowerCase() ?? '';
    return cities
      .filter((city) => text.includes(city.toLowerCase()))
      .map((value) => ({ path: 'city', value, types: ['company'] }));
  }) as AskRecords;

const shape = {
  types: [
    {
      type: 'company',
      count: 3,
      fields: [{ path: 'city', kinds: ['text' as const], samples: ['Berlin', 'Oslo'] }],
    },
  ],
};
const where = (value: string) => ({ field: 'city', op: '=', value });
const spelled = (condition: object, ask = recordsIn('Berlin', 'Oslo')) =>
  spelledAsRecorded([step('fetch', { where: condition })], shape, ['crm'], ask);

test('query 7: a text that a record has stays as it is', async () => {
  const steps = [step('fetch', { where: where('Berlin') })];
  expect(await spelled(where('Berlin'))).toEqual({ steps, warnings: [] });
});

test('query 7: another spelling is set right, with a warning', async () => {
  const condition = {
    and: [{ not: where('berlin') }, { field: 'city', op: 'in', value: ['OSLO', 'Berlin', 3] }],
  };
  const { steps, warnings } = await spelled(condition);
  expect(steps[0]?.params.where).toEqual({
    and: [{ not: where('Berlin') }, { field: 'city', op: 'in', value: ['Oslo', 'Berlin', 3] }],
  });
  expect(warnings).toMatchObject([
    {
      code: 'assumed_interpretation',
      step_index: 0,
      details: { field: 'city', value: 'berlin', taken: 'Berlin' },
    },
    { details: { value: 'OSLO', taken: 'Oslo' } },
  ]);
});

test('query 7: of a text that no record has, the nearest is named', async () => {
  const { steps, warnings } = await spelled(where('Berlim'));
  expect(steps[0]?.params.where).toEqual(where('Berlim'));
  expect(warnings).toMatchObject([
    { message: 'No record has "Berlim" in city. The nearest is "Berlin".', details: { nearest: 'Berlin' } },
  ]);
  expect((await spelled(where('Reykjavik'))).warnings).toMatchObject([{ details: { nearest: null } }]);
});

test('query 7: conditions on a live source and on attributes stay as they are', async () => {
  const live = [step('fetch', { source: 'crm', where: where('nowhere') })];
  expect(await spelledAsRecorded(live, shape, ['crm'], recordsIn())).toEqual({ steps: live, warnings: [] });
  expect((await spelled({ field: 'external_uri', op: '=', value: 'x:y' })).warnings).toEqual([]);
});

test('query 7: texts beyond the first hundred stay as they are, without a question', async () => {
  let questions = 0;
  const counting = ((...asked: Parameters<AskRecords>) => {
    questions += 1;
    return recordsIn('Berlin')(...asked);
  }) as AskRecords;
  const values = Array.from({ length: 100 }, () => 'Berlin');
  const condition = { and: [{ field: 'city', op: 'in', value: values }, where('berlin')] };
  const { steps, warnings } = await spelled(condition, counting);
  expect([questions, warnings]).toEqual([100, []]);
  expect(steps[0]?.params.where).toEqual(condition);
});

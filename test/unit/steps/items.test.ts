// filter and transform (rules.md: steps 4, steps 5).
import { expect, test } from 'vitest';
import { ModelError, unusable } from '#models/model.ts';
import { filter } from '#steps/filter-step.ts';
import { transform } from '#steps/transform-step.ts';
import { contextOf, ids, items, many, type StubModel } from './fake-context.ts';

const keepAll: StubModel = {
  filter: ({ items: shown }) => ({ verdicts: shown.map(() => ({ keep: true, score: 1 })) }),
};
const upper: StubModel = {
  transform: ({ item, output_fields }) => ({
    fields: Object.fromEntries(output_fields.map((field) => [field, item.name.toUpperCase()])),
  }),
};

test('filter reads the instructions and one batch of 25 per call', async () => {
  const context = contextOf(
    'filter',
    {},
    { outputs: { 0: { items: many(60) } }, model: keepAll, instructions: 'big ones' },
  );
  expect(ids(await filter(context))).toHaveLength(60);
  expect(context.calls).toMatchObject([{ instructions: 'big ones' }, {}, {}]);
  expect(context.calls.map((call) => (call as { items: unknown[] }).items.length)).toEqual([25, 25, 10]);
});

test('filter keeps what is judged to fit, best first, equals in their order', async () => {
  const scores: Record<string, number> = { a: 0.2, b: 0.9, c: 0.9, d: 0.5 };
  const model: StubModel = {
    filter: ({ items: shown }) => ({
      verdicts: shown.map(({ id }) => ({ keep: id !== 'd', score: scores[id] ?? 0 })),
    }),
  };
  const output = await filter(
    contextOf('filter', {}, { outputs: { 0: { items: items('a', 'b', 'c', 'd') } }, model }),
  );
  expect(ids(output)).toEqual(['b', 'c', 'a']);
  expect(output.items?.[0]?.score).toBe(0.9);
});

test('filter keeps at most limit_to', async () => {
  const context = contextOf(
    'filter',
    { limit_to: 2 },
    { outputs: { 0: { items: many(5) } }, model: keepAll },
  );
  expect(ids(await filter(context))).toEqual(['i0', 'i1']);
});

test('filter works on the previous step by default and takes its place', async () => {
  const outputs = { 0: { items: items('a') }, 5: { items: items('b') } };
  const output = await filter(contextOf('filter', {}, { outputs, model: keepAll }));
  expect(ids(output)).toEqual(['b']);
  expect(output.replaces).toEqual([5]);
});

test('a previous step that yields no items, such as analyze, is looked past', async () => {
  const outputs = { 0: { items: items('a') }, 1: { text: 'findings' } };
  expect(ids(await filter(contextOf('filter', {}, { outputs, model: keepAll })))).toEqual(['a']);
});

test('filter works on the named steps, each id once', async () => {
  const outputs = { 0: { items: items('a', 'b') }, 5: { items: items('b', 'c') }, 9: { items: items('z') } };
  const context = contextOf('filter', { steps_to_filter: [0, 5] }, { outputs, model: keepAll });
  expect(ids(await filter(context))).toEqual(['a', 'b', 'c']);
});

test('filter without items makes no model call', async () => {
  const context = contextOf('filter', {}, { outputs: { 0: { items: [] } } });
  expect(ids(await filter(context))).toEqual([]);
  expect(context.calls).toEqual([]);
  expect(ids(await filter(contextOf('filter', {})))).toEqual([]);
});

test('a batch that fails permanently fails the filter', async () => {
  const model: StubModel = {
    filter: ({ items: shown }, position) => {
      if (position === 1) throw unusable('down');
      return { verdicts: shown.map(() => ({ keep: true, score: 1 })) };
    },
  };
  const context = contextOf('filter', {}, { outputs: { 0: { items: many(60) } }, model });
  await expect(filter(context)).rejects.toThrow(ModelError);
});

test('a batch with too few verdicts fails the filter', async () => {
  const model: StubModel = { filter: () => ({ verdicts: [] }) };
  const context = contextOf('filter', {}, { outputs: { 0: { items: many(2) } }, model });
  await expect(filter(context)).rejects.toThrow(ModelError);
});

test('transform adds the field result by default, one call per item, other fields kept', async () => {
  const context = contextOf('transform', {}, { outputs: { 0: { items: items('a', 'b') } }, model: upper });
  const output = await transform(context);
  expect(output.items?.map(({ fields }) => fields)).toEqual([
    { letter: 'a', result: 'A' },
    { letter: 'b', result: 'B' },
  ]);
  expect(output.replaces).toEqual([0]);
  expect(context.calls).toHaveLength(2);
});

test('transform writes exactly output_fields; one that the model left out is null', async () => {
  const model: StubModel = { transform: () => ({ fields: { one: 1, stray: 2 } }) };
  const params = { output_fields: ['one', 'toString'] };
  const output = await transform(
    contextOf('transform', params, { outputs: { 0: { items: items('a') } }, model }),
  );
  expect(output.items?.[0]?.fields).toEqual({ letter: 'a', one: 1, toString: null });
});

test('transform takes the first 100 of more and warns results_truncated', async () => {
  const context = contextOf('transform', {}, { outputs: { 0: { items: many(101) } }, model: upper });
  expect(ids(await transform(context))).toHaveLength(100);
  expect(context.warnings).toMatchObject([
    { code: 'results_truncated', details: { received: 101, kept: 100 } },
  ]);
});

test.each([
  { limit: 150, unlimited_transform: true, kept: 150 },
  { limit: 150, unlimited_transform: false, kept: 100 },
  { limit: 3, unlimited_transform: false, kept: 3 },
  { limit: undefined, unlimited_transform: true, kept: 100 },
])('transform of 200 items: %o', async ({ limit, unlimited_transform, kept }) => {
  const given = { outputs: { 0: { items: many(200) } }, model: upper, run: { unlimited_transform } };
  expect(ids(await transform(contextOf('transform', { limit }, given)))).toHaveLength(kept);
});

test('a failed item is unchanged and reported, and the others continue', async () => {
  const model: StubModel = {
    transform: (_, position) => {
      if (position === 1) throw unusable('no');
      return { fields: { result: position } };
    },
  };
  const context = contextOf('transform', {}, { outputs: { 0: { items: items('a', 'b', 'c') } }, model });
  const output = await transform(context);
  expect(output.items?.map(({ fields }) => fields.result)).toEqual([0, undefined, 2]);
  expect(context.failures).toMatchObject([{ details: { item_id: 'b', item_index: 1 } }]);
  expect(context.warnings).toMatchObject([{ code: 'partial_failure', details: { failed: 1, total: 3 } }]);
});

test('transform works on the named steps', async () => {
  const outputs = { 0: { items: items('a') }, 5: { items: items('b') }, 7: { items: items('c') } };
  const context = contextOf('transform', { steps_to_transform: [0, 7] }, { outputs, model: upper });
  expect(ids(await transform(context))).toEqual(['a', 'c']);
});

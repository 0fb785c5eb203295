// What steps have at gathered, and how much of it a model is shown.
import { expect, test } from 'vitest';
import { fitForModel, gather } from '#steps/step-input.ts';
import { contextOf, items, many } from './fake-context.ts';

const outputs = {
  0: { items: items('a', 'b', 'c') },
  5: { items: items('p') },
  7: { items: items('b'), replaces: [0], text: 'seven' },
  8: { text: 'eight' },
};

test('all earlier steps are at gathered by default, without what a later filter took over', async () => {
  const gathered = await gather(contextOf('analyze', {}, { outputs }), undefined);
  expect(gathered.items.map(({ id }) => id)).toEqual(['p', 'b']);
  expect(gathered.texts).toEqual(['seven', 'eight']);
});

test('named steps count in full, each record once in its latest version', async () => {
  const changed = { ...outputs, 7: { items: [{ ...items('b')[0], score: 0.5 }] } } as typeof outputs;
  const gathered = await gather(contextOf('analyze', {}, { outputs: changed }), [7, 0]);
  expect(gathered.items.map(({ id, score }) => [id, score])).toEqual([
    ['a', undefined],
    ['b', 0.5],
    ['c', undefined],
  ]);
});

test('a model is shown at most 200 items, with results_truncated', () => {
  const context = contextOf('analyze', {});
  expect(fitForModel(context, { items: many(201), texts: [] }).items).toHaveLength(200);
  expect(context.warnings).toMatchObject([
    { code: 'results_truncated', details: { received: 201, kept: 200 } },
  ]);
});

test('what fits is shown whole and without a warning', () => {
  const context = contextOf('analyze', {});
  expect(fitForModel(context, { items: many(200), texts: ['one', 'two'] }).context).toEqual(['one', 'two']);
  expect(context.warnings).toEqual([]);
});

test('huge texts and records are cut to what one call can take', () => {
  const context = contextOf('analyze', {});
  const huge = many(10).map((item) => ({ ...item, fields: { text: 'x'.repeat(60_000) } }));
  const part = fitForModel(context, { items: huge, texts: ['y'.repeat(300_000), 'z'] });
  expect(JSON.stringify(part).length).toBeLessThan(201_000);
  expect(part.items).toHaveLength(1);
  expect(context.warnings).toHaveLength(1);
});

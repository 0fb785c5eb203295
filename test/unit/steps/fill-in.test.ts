// Bounds of filling in data that no usual run meets (rules.md: output 5).
import { expect, test } from 'vitest';
import type { OutputSchema } from '#contract/output-schema.ts';
import { fillIn } from '#steps/output/fill-in.ts';
import { items } from './fake-context.ts';

const text: OutputSchema = { type: 'string' };
const value = { item: null, field: null, step_index: null, text: null };
const refer = (parts: object) => ({ lists: [], columns: [], values: [], ...parts });
const hand = (...ids: string[]) => {
  const yielded = items(...ids).map((item) => ({ item, step_index: 0, by_path: new Map() }));
  return { items: yielded, steps: new Map([[0, yielded]]), message: 'M' };
};
const whole = refer({ lists: [{ path: '/rows', step_index: 0, items: null }] });
const rows = (properties: Record<string, OutputSchema>): OutputSchema => ({
  type: 'object',
  properties: {
    rows: { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } },
  },
});

test('a place as long as its schema is cut in an issue', () => {
  const name = 'x'.repeat(50_000);
  const schema: OutputSchema = { type: 'object', properties: { [name]: text }, required: [name] };
  const { issues } = fillIn(schema, refer({}), hand());
  expect(issues.map(({ path }) => path.length)).toEqual([1000]);
});

test('data that no list could make smaller are an issue', () => {
  const schema: OutputSchema = { type: 'object', properties: { words: text }, required: ['words'] };
  const said = { ...value, path: '/words', from: 'text' as const, text: 'w'.repeat(300_000) };
  expect(fillIn(schema, refer({ values: [said] }), hand()).issues).toMatchObject([{ path: '' }]);
});

test('a basis that is too large leaves elements out, too', () => {
  const given = hand('a', 'b', 'c');
  for (const { item } of given.items) item.fields.many = Array.from({ length: 900 }, (_, i) => i % 2);
  const wide = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`p${i}`, 'many']));
  const schema = rows(
    Object.fromEntries(
      Object.keys(wide).map((name) => [name, { type: 'array', items: { type: 'integer' } }]),
    ),
  );
  const columns = Object.entries(wide).map(([name, field]) => ({ path: `/rows/*/${name}`, field }));
  const { output, truncated, issues } = fillIn(schema, { ...whole, columns }, given);
  expect(issues).toEqual([]);
  expect(truncated).toEqual([{ path: '/rows', matched: 3, returned: 0 }]);
  expect(output).toEqual({ data: { rows: [] }, basis: [] });
});

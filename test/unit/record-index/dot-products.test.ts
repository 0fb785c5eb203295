// The kernel that compares vectors: its binary form is that of its text, and its sums are exact.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { dotProductsModule, vectorRows } from '#record-index/dot-products.ts';

test('the kernel is the compiled form of its text', async () => {
  const name = 'functions/record-index/dot-products.wat';
  const { parseWat } = await wabt();
  const { buffer } = parseWat(name, readFileSync(name, 'utf8')).toBinary({});
  expect(Buffer.from(buffer).toString('base64')).toBe(dotProductsModule.toString('base64'));
});

test('its sums are those of a plain loop, for any number of dimensions and the greatest components', () => {
  const component = fc.oneof(fc.integer({ min: -127, max: 127 }), fc.constantFrom(-127, 127));
  const vectors = fc
    .integer({ min: 1, max: 70 })
    .chain((size) =>
      fc.array(fc.array(component, { minLength: size, maxLength: size }), { minLength: 2, maxLength: 9 }),
    );
  fc.assert(
    fc.property(vectors, fc.integer({ min: 0, max: 3000 }), ([query = [], ...others], first) => {
      const rows = vectorRows(query.length, 8);
      rows.compareWith(Int8Array.from(query));
      rows.put(first, Int8Array.from(others.flat()));
      const expected = others.map((other) => other.reduce((sum, one, i) => sum + one * (query[i] ?? 0), 0));
      expect([...rows.products(first, others.length)]).toEqual(expected);
      expect([...rows.products(first + others.length - 1, 1)]).toEqual(expected.slice(-1));
    }),
  );
});

test('four thousand dimensions of the greatest components do not overflow', () => {
  const rows = vectorRows(4096, 1);
  rows.compareWith(new Int8Array(4096).fill(-127));
  rows.put(0, new Int8Array(4096).fill(-127));
  expect([...rows.products(0, 1)]).toEqual([4096 * 127 * 127]);
});

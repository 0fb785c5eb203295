// The kernel that compares vectors: its binary form is that of its text, and its sums are exact.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { dotProducts, dotProductsModule } from '#record-index/dot-products.ts';

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
    fc.property(vectors, ([query = [], ...others]) => {
      const { rows, sums } = dotProducts(Int8Array.from(query), 8);
      rows.set(others.flat());
      const expected = others.map((other) => other.reduce((sum, one, i) => sum + one * (query[i] ?? 0), 0));
      expect([...sums(others.length)]).toEqual(expected);
    }),
  );
});

test('four thousand dimensions of the greatest components do not overflow', () => {
  const query = new Int8Array(4096).fill(-127);
  const { rows, sums } = dotProducts(query, 1);
  rows.set(query);
  expect([...sums(1)]).toEqual([4096 * 127 * 127]);
});

// Long JSON in pieces is JSON.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, writeJson } from '../../lib/local/shared-thread/json.ts';
import { turnsDuring } from '../support/turns.ts';

const LONG = 201;
const awkward = fc.constantFrom('"', '\\', '\\"', '\n', ']', '[', '"a":[', ',', '__proto__', '\u2028');
const text = fc.oneof(
  fc.string(),
  fc.array(awkward, { maxLength: 6 }).map((all) => all.join('')),
);
const member = fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text), fc.dictionary(text, text));
/** A list whose members are few kinds, so that a long one is made at once. */
const list = fc
  .tuple(fc.array(member, { minLength: 1, maxLength: 4 }), fc.constantFrom(0, 3, LONG, 2 * LONG))
  .map(([kinds, length]) => Array.from({ length }, (_, i) => kinds[i % kinds.length]));
const object = fc.dictionary(text, fc.oneof(member, list, fc.constant(undefined)));

test('what is written is JSON of the value, and is read as that', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(object, fc.array(list, { maxLength: 2 })), async (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      const written = await writeJson(value);
      expect(JSON.parse(written)).toEqual(plain);
      expect(await parseJson(written)).toEqual(plain);
    }),
  );
});

test('what JSON.stringify has written is read, too', async () => {
  await fc.assert(
    fc.asyncProperty(object, async (value) => {
      const written = JSON.stringify(value);
      expect(await parseJson(written)).toEqual(JSON.parse(written));
    }),
  );
});

test('truncated text is not JSON', async () => {
  const written = await writeJson({ rows: Array.from({ length: LONG }, (_, i) => ({ i })) });
  await expect(parseJson(written.slice(0, -2))).rejects.toThrow(SyntaxError);
  await expect(parseJson(written.slice(0, 100))).rejects.toThrow(SyntaxError);
});

test('others have their turns while a long list is written and read', async () => {
  const rows = Array.from({ length: 90_000 }, (_, i) => ({ name: `row ${i}`.repeat(20), cells: [i, i + 1] }));
  let written = '';
  const whileWritten = await turnsDuring(async () => {
    written = await writeJson({ rows });
  });
  expect(whileWritten).toBeGreaterThan(1);
  expect(await turnsDuring(() => parseJson(written))).toBeGreaterThan(2);
});

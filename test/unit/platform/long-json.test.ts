// Long JSON in turns is JSON.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson, writeJson } from '#platform/long-json.ts';

/** Long enough to be read in turns. */
const filler = 'x'.repeat(100_000);
const awkward = fc.constantFrom(
  '"',
  '\\',
  '\\"',
  '\\\\',
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '\u2028',
  '__proto__',
);
const text = fc.oneof(
  fc.string(),
  awkward,
  fc.array(awkward, { maxLength: 8 }).map((all) => all.join('')),
);
const { tree: value } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('tree')),
    fc.dictionary(text, tie('tree')),
  ),
}));

test('what is written is what JSON.stringify writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(text, fc.oneof(value, fc.constant(undefined))), async (object) => {
      expect(await writeJson(object)).toBe(JSON.stringify(object));
    }),
  );
});

test('what is read is what JSON.parse reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(text, value), async (object) => {
      const long = JSON.stringify({ ...object, filler });
      expect(await readJson(long)).toEqual(JSON.parse(long));
    }),
    { numRuns: 50 },
  );
});

test.each(['{"a":[1,2', '{"a":"b', '{"a":1'])('what ends too early is no JSON: %s', async (start) => {
  await expect(readJson(start)).rejects.toThrow(SyntaxError);
  await expect(readJson(`{"filler":"${filler}",${start.slice(1)}`)).rejects.toThrow(SyntaxError);
});

test('others have their turns while a long list is written and read', async () => {
  const rows = Array.from({ length: 40_000 }, (_, i) => ({ name: `row ${i}`, cells: [i, i + 1, i + 2] }));
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 1);
  const written = await writeJson({ rows });
  const read = await readJson(written);
  clearInterval(other);
  expect(read).toEqual({ rows });
  expect(turns).toBeGreaterThan(2);
});

// Long JSON in pieces is JSON.
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { atOnce } from '#platform/at-once.ts';
import { parseJson, writeJson } from '../../lib/local/shared-thread/json.ts';
import { parseInPieces } from '../../lib/local/shared-thread/parse-in-pieces.ts';
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

/** Names without escapes: V8 may read one that has some as the name of a member that it has read before. */
const name = text.map((any) => any.replaceAll(/["\\\n]/g, ''));
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.array(tie('json')),
    fc.dictionary(name, tie('json')),
    fc.dictionary(fc.constantFrom('a', '1', '__proto__'), tie('json')),
  ),
}));

/** What a parser makes of a text: its value with the order of its members, or a refusal. */
function outcome(parse: () => unknown): string {
  try {
    return JSON.stringify(parse());
  } catch (error) {
    return String(error instanceof SyntaxError);
  }
}

test('any text is read in pieces as it is read at once, JSON or not', () => {
  const change = fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom('', ...'[]{},:" 1\ufeff', '"__proto__":'));
  const spaces = fc.constantFrom(undefined, 1, '\t');
  fc.assert(
    fc.property(
      json,
      spaces,
      fc.array(change, { maxLength: 2 }),
      fc.nat(40),
      (value, space, changes, piece) => {
        const sent = changes.reduce(
          (all, [at, dropped, added]) => {
            const place = at % (all.length + 1);
            return all.slice(0, place) + added + all.slice(place + dropped);
          },
          JSON.stringify(value, null, space),
        );
        expect(outcome(() => atOnce(parseInPieces(sent, piece)))).toBe(outcome(() => JSON.parse(sent)));
      },
    ),
    { numRuns: 500 },
  );
});

test('no piece of a long text is long, however its members nest', () => {
  const small = '{"a":1,"b":[2]}';
  const many = Array(5000).fill(small).join(',');
  let nested: unknown = 0;
  for (let level = 0; level < 20; level += 1) nested = [...Array(1300).fill({ a: 1, b: [2] }), { k: nested }];
  const longs = [`[${many}]`, `{"k":{"l":[${many}]},"m":[${many}]}`, JSON.stringify(nested)];
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  for (const long of longs) atOnce(parseInPieces(long));
  expect(Math.max(...parse.mock.calls.map(([piece]) => piece.length))).toBeLessThan(70_000);
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

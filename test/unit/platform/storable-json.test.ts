// What of foreign JSON is kept, mended or refused.
import { expect, test } from 'vitest';
import { markInexact } from '#platform/exact-numbers.ts';
import { asStorable } from '#platform/storable-json.ts';

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

test('lone surrogates become U+FFFD, in texts and in names', () => {
  const value = JSON.parse('{"a\\ud800":["\\udc00b"]}');
  expect(asStorable(value)).toEqual({ ok: true, value: { 'a\ufffd': ['\ufffdb'] } });
});

test('a member keeps any name', () => {
  const text = '{"__proto__":{"constructor":1},"toString":2}';
  const kept = asStorable(JSON.parse(text));
  expect(JSON.stringify(kept)).toBe(`{"ok":true,"value":${text}}`);
});

test.each([0, -0, 1e125, -1e125, 1e-130, 2 ** 60])('%d is kept', (number) => {
  expect(asStorable([number])).toEqual({ ok: true, value: [number] });
});

test.each([1.1e125, -1e126, 9e-131, Number.POSITIVE_INFINITY, Number.NaN])('%d is refused', (number) => {
  expect(asStorable({ n: number })).toMatchObject({ ok: false, fault: expect.stringContaining('number') });
});

test.each(['9007199254740993', '0.12345678901234567890123'])(
  '%s, which a double does not keep, is refused with its place (rules.md: models 7)',
  (number) => {
    const value: unknown = JSON.parse(markInexact(`{"a":[{"n":${number}}]}`));
    expect(asStorable(value)).toEqual({
      ok: false,
      fault: `a.0.n is ${number}, a number that is not kept as it is: write it as a text.`,
    });
  },
);

test('200 levels are kept, one more is refused', () => {
  expect(asStorable(nested(200))).toMatchObject({ ok: true });
  expect(asStorable(nested(201))).toMatchObject({ ok: false, fault: 'It nests deeper than 200 levels.' });
  expect(asStorable(nested(5000))).toMatchObject({ ok: false });
});

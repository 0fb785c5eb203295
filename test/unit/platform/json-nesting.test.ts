// How deep a JSON text nests, against the value that it has.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nestingOf } from '#platform/json-nesting.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test('any JSON text, whatever its strings hold', () => {
  fc.assert(
    fc.property(
      fc.json({ depthSize: 'medium', stringUnit: fc.constantFrom('"', '\\', '[', '}', 'a') }),
      (text) => {
        expect(nestingOf(text)).toBe(depthOf(JSON.parse(text)));
      },
    ),
  );
});

test.each(['[', ']', '[}', '{]', '[[]', '{"a":[}]'])('%s is no JSON', (text) => {
  expect(nestingOf(text)).toBeUndefined();
});

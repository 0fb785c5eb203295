// rules.md: errors 7. Where a text stops being JSON.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonMistake } from '#platform/json-mistake.ts';

test.each([
  ['', 1, 1, 'a value'],
  ['query', 1, 1, 'a value'],
  ['{"a":1,}', 1, 8, 'a name in double quotes'],
  ['[1,\n 2,\n]', 3, 1, 'a value'],
  ['[1 2]', 1, 4, '`,` or `]`'],
  ['{"a" 1}', 1, 6, '`:`'],
  ['{"a":01}', 1, 6, 'a value'],
  ['{"a":"b\nc"}', 1, 6, 'a value'],
  ['{} {}', 1, 4, 'the end'],
  ['{"a":[1}', 1, 8, '`,` or `]`'],
  ['{a:1}', 1, 2, 'a name in double quotes or `}`'],
  ['nul', 1, 1, 'a value'],
])('%j stops being JSON at line %i, column %i: %s', (text, line, column, expected) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonMistake(text)).toEqual({ line, column, expected });
});

test('JSON that is cut off ends at its last token: what is there so far is no mistake', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, n) => {
      const text = json.slice(0, n % (json.length + 1));
      const { column } = jsonMistake(text);
      expect(column).toBeLessThanOrEqual(text.length + 1);
      if (text === json) expect(jsonMistake(text).expected).toBe('the end');
    }),
  );
});

// rules.md: records 2, records 15. The value at a path, and what it takes to find it.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prefixesOf, valuesByPath } from '#contract/field-paths.ts';
import { isJsonObject, type Json, type JsonObject } from '#contract/json.ts';
import { countedReads } from '../../support/counted-reads.ts';
import { splitEveryWay } from '../../support/split-every-way.ts';

/** By the letter: the longest key first, and each way to split the rest below it. */
function valueAt(object: JsonObject, parts: string[]): Json | undefined {
  for (let n = parts.length; n > 0; n -= 1) {
    const key = parts.slice(0, n).join('.');
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    if (value === undefined) continue;
    if (n === parts.length) return value;
    const inner = isJsonObject(value) ? valueAt(value, parts.slice(n)) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const key = fc.array(fc.constantFrom('a', 'b', '__proto__', 'constructor'), { minLength: 1, maxLength: 3 });
const { fields } = fc.letrec<{ value: Json; fields: JsonObject }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constantFrom<Json>(1, 'x', null, ['a'], {}), tie('fields')),
  // `fromEntries` makes `__proto__` a member as any other, as JSON.parse does.
  fields: fc
    .array(
      fc.tuple(
        key.map((parts) => parts.join('.')),
        tie('value'),
      ),
      { maxLength: 4 },
    )
    .map((entries) => Object.fromEntries(entries)),
}));
const path = fc.array(fc.constantFrom('a', 'b', '__proto__', 'constructor'), { minLength: 1, maxLength: 6 });

test('one walk finds what a search through all ways to split the path finds', () => {
  fc.assert(
    fc.property(fields, fc.array(path, { minLength: 1, maxLength: 8 }), (record, paths) => {
      const names = paths.map((parts) => parts.join('.'));
      const expected = paths.map((parts) => valueAt(record, parts));
      const all = valuesByPath(record);
      const asked = valuesByPath(record, prefixesOf(names));
      expect(names.map((name) => all.get(name)?.value)).toEqual(expected);
      expect(names.map((name) => asked.get(name)?.value)).toEqual(expected);
      for (const [name, { key: top, value }] of all)
        expect(name === top ? record[top] : valueAt({ [top]: record[top] ?? null }, name.split('.'))).toEqual(
          value,
        );
    }),
    { numRuns: 500 },
  );
});

test('a record whose keys split a path in every way is read once for all paths', () => {
  const { fields: hostile, values, paths } = splitEveryWay(5_000);
  for (const prefixes of [undefined, prefixesOf(paths)]) {
    const { record, reads } = countedReads(hostile);
    valuesByPath(record, prefixes);
    expect(reads()).toBe(values);
  }
});

// Walks over JSON values.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonPath, walkJson } from '#platform/walk-json.ts';

/** The same walk by recursion. */
function walked(value: unknown, path: JsonPath = []): [unknown, JsonPath][] {
  if (typeof value !== 'object' || value === null) return [[value, path]];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? value.map((member, i) => [i, member])
    : Object.entries(value);
  return [[value, path], ...members.flatMap(([key, member]) => walked(member, [...path, key]))];
}

/** All that a walk visits. */
function visited(value: unknown): [unknown, JsonPath][] {
  const seen: [unknown, JsonPath][] = [];
  walkJson(value, (one, path) => void seen.push([one, [...path]]));
  return seen;
}

test('every value is visited once, in the order of the text, at its path', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const value: unknown = JSON.parse(JSON.stringify(json));
      expect(visited(value)).toEqual(walked(value));
    }),
  );
});

test('members named __proto__ are visited, and nesting of any depth', () => {
  const names = visited(JSON.parse('{"__proto__":[1]}')).map(([, path]) => path.join('.'));
  expect(names).toEqual(['', '__proto__', '__proto__.0']);
  let depth = 0;
  walkJson(JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)), (_, path) => {
    depth = path.length;
  });
  expect(depth).toBe(199_999);
});

test('a walk ends with the first result', () => {
  const seen: unknown[] = [];
  const result = walkJson([1, [2, 3], 4], (value) => {
    seen.push(value);
    return value === 2 ? 'found' : undefined;
  });
  expect([result, seen]).toEqual(['found', [[1, [2, 3], 4], 1, [2, 3], 2]]);
});

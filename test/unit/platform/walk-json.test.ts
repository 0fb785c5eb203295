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

test('every value is visited once, in the order of the text, at its path', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const value: unknown = JSON.parse(JSON.stringify(json));
      const path: JsonPath = [];
      expect([...walkJson(value, path)].length).toBe(walked(value).length);
      path.length = 0;
      const seen: [unknown, JsonPath][] = [];
      for (const one of walkJson(value, path)) seen.push([one, [...path]]);
      expect(seen).toEqual(walked(value));
    }),
  );
});

test('members named __proto__ are visited, and nesting of any depth', () => {
  const path: JsonPath = [];
  const names = [];
  for (const _ of walkJson(JSON.parse('{"__proto__":[1]}'), path)) names.push(path.join('.'));
  expect(names).toEqual(['', '__proto__', '__proto__.0']);
  const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
  expect([...walkJson(deep)]).toHaveLength(200_000);
});

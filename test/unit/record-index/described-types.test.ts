// rules.md: entities 3, entities 6. What the index says of types and fields, against all records read again after each change.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameOfPath } from '#contract/conditions.ts';
import type { Entity } from '#contract/entities.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { applyChanges, noChanges } from '#record-index/apply.ts';
import { operations } from '#record-index/index-operations.ts';
import { openFile } from '#record-index/schema.ts';

const scalar = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'long '.repeat(30)),
  fc.integer({ min: -3, max: 3 }),
  fc.boolean(),
  fc.constantFrom('2026-05-11', '2025-12-31T23:30:00-01:00', '2025-12-31', '2026-02-30'),
);
const leaf: fc.Arbitrary<Json> = fc.oneof(
  scalar,
  fc.constant(null),
  fc.array(scalar, { maxLength: 3 }),
  fc.constant({}),
);
const key = fc.constantFrom('x', 'y', 'z', 'name');
const fields: fc.Arbitrary<JsonObject> = fc.dictionary(
  key,
  fc.oneof(leaf, fc.dictionary(key, leaf, { maxKeys: 2 })),
  {
    maxKeys: 3,
    noNullPrototype: true,
  },
);
const change = fc.record({
  id: fc.integer({ min: 0, max: 5 }),
  type: fc.constantFrom('t', 'u'),
  fields: fc.option(fields),
});

const idOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const entityOf = (n: number, type: string, own: JsonObject): Entity => ({
  ...{ id: idOf(n), workspace_id: idOf(9), type, name: `N${n}`, fields: own, created_at: 1, updated_at: 1 },
});

/** Every leaf of a record by its path. */
function leavesOf(object: JsonObject, prefix = ''): [path: string, value: Json][] {
  return Object.entries(object).flatMap(([name, value]): [string, Json][] => {
    if (value === null) return [];
    if (typeof value !== 'object' || Array.isArray(value) || Object.keys(value).length === 0)
      return [[prefix + name, value]];
    return leavesOf(value, `${prefix}${name}.`);
  });
}

const kindOf = (value: Json) =>
  Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : typeof value;

/** The dates among the values, the earliest first. */
const inTime = ['2025-12-31', '2025-12-31T23:30:00-01:00', '2026-05-11'];

/** The same by reading all records; samples are only checked to be among the values. */
function described(records: Entity[]) {
  return [...Map.groupBy(records, ({ type }) => type)]
    .map(([type, all]) => {
      const byPath = Map.groupBy(
        all.flatMap((one) => leavesOf(one.fields)),
        ([path]) => path,
      );
      const of = [...byPath].map(([path, found]) => {
        const values = found.map(([, value]) => value);
        const numbers = values.filter((value) => typeof value === 'number');
        const areDates = values.every((value) => inTime.some((date) => date === value));
        const dates = inTime.filter((date) => values.includes(date));
        return {
          ...{ path, count: values.length, values: values.flat() },
          kinds: new Set(areDates ? ['date'] : values.map(kindOf)),
          ...(areDates && { low: dates[0], high: dates.at(-1) }),
          ...(numbers.length > 0 && { low: Math.min(...numbers), high: Math.max(...numbers) }),
        };
      });
      return { type, count: all.length, fields: of.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
    })
    .toSorted((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1));
}

test('counts, kinds, ranges and samples are those of the records after every change', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 6 }), (batches) => {
      const database = openFile(':memory:');
      const records = new Map<number, Entity>();
      for (const batch of batches) {
        const last = new Map(batch.map((one) => [one.id, one]));
        for (const [id, { type, fields: own }] of last)
          if (own) records.set(id, entityOf(id, type, own));
          else records.delete(id);
        applyChanges(database, {
          ...noChanges,
          records: [...last].flatMap(([id, { fields: own }]) => {
            const entity = records.get(id);
            return own && entity ? [{ entity, vector: undefined }] : [];
          }),
          gone_records: [...last].flatMap(([id, { fields: own }]) => (own ? [] : [idOf(id)])),
        });
        const expected = described([...records.values()]);
        const found = operations.describe(database, { limit: 10 });
        expect(
          found.map(({ fields: of, ...rest }) => ({
            ...rest,
            fields: of.map(({ samples: _, kinds, ...field }) => ({ ...field, kinds: new Set(kinds) })),
          })),
        ).toEqual(
          expected.map(({ fields: of, ...rest }) => ({
            ...rest,
            fields: of.map(({ values: _, ...field }) => field),
          })),
        );
        for (const [i, { fields: of }] of found.entries())
          for (const [j, { samples }] of of.entries()) {
            const values = (expected[i]?.fields[j]?.values ?? []).filter(
              (value) => typeof value !== 'object',
            );
            const shown = new Set(values.map((value) => (String(value).length > 60 ? 'long' : value)));
            expect(samples).toHaveLength(Math.min(5, shown.size));
            for (const sample of samples)
              expect(shown).toContain(String(sample).endsWith('…') ? 'long' : sample);
          }
      }
      database.close();
    }),
    { numRuns: 60 },
  );
});

test('a field that is asked for is found in the types that have it, and nowhere else', () => {
  const database = openFile(':memory:');
  const entities = [entityOf(1, 't', { a: { b: 1 } }), entityOf(2, 'u', { c: 1 })];
  applyChanges(database, {
    ...noChanges,
    records: entities.map((entity) => ({ entity, vector: undefined })),
  });
  const ask = (types: string[] | null, ...paths: string[]) => operations.fields(database, { types, paths });
  expect(ask(null, 'a', 'a.b', 'c')).toEqual({ has_records: true, missing: [], known: [] });
  expect(ask(['t'], 'c')).toEqual({ has_records: true, missing: ['c'], known: ['a', 'a.b'] });
  expect(ask(['none'], 'c')).toMatchObject({ has_records: false });
  expect(nameOfPath('name')).toBe('fields.name');
});

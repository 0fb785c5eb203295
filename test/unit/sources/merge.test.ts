// What two workspaces answer becomes one answer, as if their records were one workspace's.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FieldSort, Measure } from '#contract/conditions.ts';
import { compareText, type SortKey } from '#contract/record-queries.ts';
import { mergeFound } from '#sources/merge.ts';
import { entity, GLOBAL, sourcesOver } from './memory-readers.ts';

const key = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('a', 'B', ''),
  fc.boolean(),
  fc.constant(null),
);
const fields = fc.record({ a: key, b: key });

test('records of two workspaces sort and count as those of one', async () => {
  const sort = fc.array(
    fc.record({
      field: fc.constantFrom('a', 'b', 'name'),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    }),
    { minLength: 1, maxLength: 3 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fields, fc.boolean()), { maxLength: 12 }),
      sort,
      async (made, order) => {
        const records = made.map(([values], i) => entity('thing', `N${i % 3}`, values));
        const one = sourcesOver({ entities: records });
        const two = sourcesOver(
          {
            entities: records.map((record, i) =>
              made[i]?.[1] ? { ...record, workspace_id: GLOBAL } : record,
            ),
          },
          { xray: true },
        );
        const query = { source: 'entities', sort: order, limit: 5 };
        expect(await two.find(query)).toEqual(await one.find(query));
      },
    ),
    { numRuns: 25 },
  );
});

test('groups of two workspaces are those of one', async () => {
  const measures: Measure[] = [
    { as: 'n', op: 'count' },
    ...(['count', 'sum', 'min', 'max'] as const).map((op): Measure => ({ as: op, op, field: 'b' })),
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fields, fc.boolean()), { maxLength: 12 }), async (made) => {
      const records = made.map(([values], i) => entity('thing', `N${i}`, values));
      const one = sourcesOver({ entities: records });
      const two = sourcesOver(
        {
          entities: records.map((record, i) => (made[i]?.[1] ? { ...record, workspace_id: GLOBAL } : record)),
        },
        { xray: true },
      );
      for (const sort of [undefined, [{ field: 'sum', direction: 'asc' as const }], [{ field: 'a' }]]) {
        const query = { source: 'entities', group_by: ['a'], measures, sort, limit: 5 };
        expect(await two.group(query)).toEqual(await one.group(query));
      }
    }),
    { numRuns: 25 },
  );
});

test('what is absent is last, whatever the direction', () => {
  const hit = (id: string, ...keys: SortKey[]) => ({ id, keys });
  const merged = (direction: FieldSort['direction']) =>
    mergeFound(
      [
        { hits: [hit('a', null), hit('b', 1)], matched: 7 },
        { hits: [hit('c', true), hit('d', 'x')], matched: 2 },
      ],
      { sort: [{ field: 'f', direction }], limit: 4 },
    );
  expect(merged('asc')).toMatchObject({
    hits: [{ id: 'b' }, { id: 'd' }, { id: 'c' }, { id: 'a' }],
    matched: 9,
  });
  expect(merged('desc').hits.map(({ id }) => id)).toEqual(['c', 'd', 'b', 'a']);
});

test('texts compare by code point, as their bytes do', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
      const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(compareText(left, right))).toBe(bytes);
    }),
    { numRuns: 150 },
  );
});

// rules.md: records 14, records 15. The name that a misspelled one probably means, and what it takes to find it.
import { beforeEach, expect, test, vi } from 'vitest';
import { missingFrom } from '#sources/record-sources.ts';

const compared = vi.hoisted(() => vi.fn());
vi.mock('fastest-levenshtein', async (original) => {
  const { distance } = await original<typeof import('fastest-levenshtein')>();
  return {
    distance(left: string, right: string) {
      compared();
      return distance(left, right);
    },
  };
});
beforeEach(() => void compared.mockClear());

/** What is missing of these fields in records that have the known ones. */
const missing = (fields: string[], known: string[]) =>
  missingFrom(
    [{ fields: async ({ paths }) => ({ has_records: true, missing: paths, known }) }],
    null,
    fields,
  );

test.each([
  ['citty', 'city'],
  ['adress.city', 'address.city'],
  ['year founded', 'founded_in_year'],
  ['nam', 'name'],
])('%s is probably %s', async (field, nearest) => {
  const known = ['city', 'address.city', 'founded_in_year', 'revenue'];
  expect(await missing([field], known)).toEqual([{ field, nearest }]);
});

test('a hundred missing fields are not compared with all of ten thousand names', async () => {
  const known = Array.from({ length: 10_000 }, (_, i) => `${'part of a name '.repeat(12)}${i}`);
  const fields = Array.from({ length: 100 }, (_, i) => `${'part of a nome '.repeat(12)}x${i}`);
  const found = await missing(fields, known);
  expect(found.map(({ field }) => field)).toEqual(fields);
  expect(found.filter(({ nearest }) => nearest !== undefined)).toHaveLength(20);
  // A name is compared as a whole and in its last part.
  expect(compared.mock.calls.length).toBeLessThanOrEqual(20 * 1_000 * 2);
});

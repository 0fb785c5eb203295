// The ids of lines without an id (rules.md: admin 7).
import { expect, test } from 'vitest';
import { isUnnamed, lineId } from '../../../../functions/store/records/line-ids.ts';

const SPREAD = 'b7a9d7de-3a3c-8d46-9c0e-6a1f0f6f7b11';
const idsOf = (importId: string, lines: number, first = 0) =>
  Array.from({ length: lines }, (_, line) => lineId(importId, first + line));

test('the ids of a large file spread evenly over all ids, so that the table can divide their writes', () => {
  const ids = idsOf(SPREAD, 20_000, 10_000);
  expect(new Set(ids).size).toBe(20_000);
  const shares = Map.groupBy(ids, (id) => id.charAt(0));
  expect(shares.size).toBe(16);
  for (const some of shares.values()) expect(some.length / ids.length).toBeLessThan(0.12);
});

test('the lines of a small file keep their order, and each has the same id whenever it is imported', () => {
  const ids = idsOf(SPREAD, 10_000);
  expect(ids.toSorted()).toEqual(ids);
  expect(idsOf(SPREAD, 10_000)).toEqual(ids);
});

test('an import that began when the ids of all lines followed each other goes on so', () => {
  const before = 'b7a9d7de-3a3c-4d46-9c0e-6a1f0f6f7b11';
  expect([0, 1, 1_000_000].map((line) => lineId(before, line))).toEqual([
    'b7a9d7de-3a3c-8d46-9c0e-000000000000',
    'b7a9d7de-3a3c-8d46-9c0e-000000000001',
    'b7a9d7de-3a3c-8d46-9c0e-0000000f4240',
  ]);
});

test('the id of a record tells whether its line had an outside name', () => {
  for (const line of [0, 9999, 10_000, 1_000_000]) {
    expect(isUnnamed(lineId(SPREAD, line))).toBe(true);
    expect(isUnnamed(lineId(SPREAD, line, true))).toBe(false);
  }
  expect(isUnnamed('b7a9d7de-3a3c-4d46-9c0e-00a1f0f6f7b1')).toBe(false);
});

// The distribution of a field: how its values are put together, and what a chart draws of the groups.
import { expect, test } from 'vitest';
import {
  cutOf,
  datesChart,
  groupsOf,
  numbersChart,
  periodLabel,
  periodsBetween,
  readGroups,
  withoutValue,
} from '../../clients/console/view-models/distribution.ts';
import type { EntityType, StepItem } from '../../clients/sdk/index.ts';

type Field = EntityType['fields'][number];
const field = (given: Partial<Field>): Field => ({
  field: 'f',
  kinds: ['string'],
  count: 9,
  samples: [],
  ...given,
});
const numbers = (min: number, max: number, ...samples: number[]) =>
  cutOf(field({ kinds: ['number'], min, max, samples }));
const group = (value: StepItem['fields'][string] | undefined, count: number): StepItem => ({
  id: null,
  name: String(value),
  type: 'group',
  fields: { ...(value !== undefined && { f: value }), count },
});

test('numbers are put together in round steps, whole numbers in whole ones', () => {
  expect(numbers(6.27, 6460.58, 27.97)).toEqual({ kind: 'numbers', width: 500, isWhole: false });
  expect(numbers(1, 5, 3)).toEqual({ kind: 'numbers', width: 1, isWhole: true });
  expect(numbers(0, 1, 0.25)).toEqual({ kind: 'numbers', width: 0.05, isWhole: false });
});

test('one number alone, texts, and values of several kinds are each by themselves', () => {
  expect(numbers(5, 5)).toEqual({ kind: 'values' });
  expect(cutOf(field({}))).toEqual({ kind: 'values' });
  expect(cutOf(field({ kinds: ['number', 'string'], min: 1, max: 9 }))).toEqual({ kind: 'values' });
});

test.each([
  ['2026-05-01', '2026-06-30', undefined, 'month'],
  ['2026-05-01', '2026-06-30', 'day', 'day'],
  ['2020-01-01', '2026-06-30', 'day', 'month'],
  ['1900-01-01', '2026-06-30', undefined, 'year'],
])('dates from %s to %s, wanted by %s, are put together by %s', (min, max, wanted, by) => {
  expect(cutOf(field({ kinds: ['date'], min, max }), wanted)).toEqual({ kind: 'dates', by });
});

test('a plan groups the records that are shown by the step of the field', () => {
  const where = { field: 'city', op: '=', value: 'Oslo' } as const;
  expect(groupsOf({ entity_types: ['ticket'], where }, 'f', numbers(0, 100))).toEqual({
    entity_types: ['ticket'],
    where,
    group_by: [{ field: 'f', by: { width: 5 } }],
    limit: 100,
  });
  expect(groupsOf({}, 'f', { kind: 'values' })).toEqual({ group_by: ['f'], limit: 20 });
});

test('steps without records are drawn too, and records without a number are counted', () => {
  const groups = readGroups([group(1000, 4), group(0, 2), group(undefined, 3)], 'f');
  const { points } = numbersChart(groups, 'f', { kind: 'numbers', width: 500, isWhole: false });
  expect(points).toEqual([
    { label: '0', name: '0 to below 500', values: [2] },
    { label: '500', name: '500 to below 1,000', values: [0] },
    { label: '1,000', name: '1,000 to below 1,500', values: [4] },
  ]);
  expect(withoutValue(groups)).toBe(3);
});

test('a step of one is a number, and a wider one of whole numbers says its last number', () => {
  const named = (width: number) =>
    numbersChart(readGroups([group(width, 1)], 'f'), 'f', { kind: 'numbers', width, isWhole: true }).points;
  expect(named(1)).toMatchObject([{ name: '1' }]);
  expect(named(10)).toMatchObject([{ name: '10 to 19' }]);
});

test('months without records are drawn too', () => {
  const groups = readGroups([group('2026-02', 4), group('2025-11', 2)], 'f');
  expect(datesChart(groups, 'f').points).toEqual([
    { label: 'Nov 2025', name: '2025-11', values: [2] },
    { label: 'Dec 2025', name: '2025-12', values: [0] },
    { label: 'Jan 2026', name: '2026-01', values: [0] },
    { label: 'Feb 2026', name: '2026-02', values: [4] },
  ]);
});

test('nothing is drawn of no groups', () => {
  expect(datesChart([], 'f').points).toEqual([]);
  expect(numbersChart([], 'f', { kind: 'numbers', width: 5, isWhole: true }).points).toEqual([]);
});

test.each([
  ['years', ['2024', '2026'], ['2024', '2025', '2026']],
  ['quarters', ['2025-Q3', '2026-Q1'], ['2025-Q3', '2025-Q4', '2026-Q1']],
  ['days over a leap day', ['2024-02-28', '2024-03-01'], ['2024-02-28', '2024-02-29', '2024-03-01']],
  ['weeks', ['2026-05-11', '2026-06-01'], ['2026-05-11', '2026-05-18', '2026-05-25', '2026-06-01']],
  ['periods of several kinds', ['2024', '2026-05'], ['2024', '2026-05']],
  ['years far apart', ['0001', '9999'], ['0001', '9999']],
])('%s are filled up', (_, given, all) => {
  expect(periodsBetween(given)).toEqual(all);
});

test('a period has a short name', () => {
  expect(['2026-05-11', '2026-05', '2026-Q2', '2026'].map(periodLabel)).toEqual([
    ...['May 11', 'May 2026', 'Q2 2026', '2026'],
  ]);
});

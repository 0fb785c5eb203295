// rules.md: records 17. Every value falls into exactly one group, and the group is named by its beginning.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Period, periods } from '#contract/conditions.ts';
import { dateIn, groupOf } from '#contract/grouped-values.ts';

/** The beginning of a period as a time, and that of the next one. */
function boundsOf(group: string, by: Period): [from: number, to: number] {
  const [, year = '', quarter] = /^(\d{4})-Q(\d)$/.exec(group) ?? [];
  const from = new Date(quarter ? `${year}-${String(Number(quarter) * 3 - 2).padStart(2, '0')}` : group);
  const to = new Date(from);
  if (by === 'day' || by === 'week') to.setUTCDate(from.getUTCDate() + (by === 'day' ? 1 : 7));
  else if (by === 'year') to.setUTCFullYear(from.getUTCFullYear() + 1);
  else to.setUTCMonth(from.getUTCMonth() + (by === 'month' ? 1 : 3));
  return [from.getTime(), to.getTime()];
}

const FIRST = Date.parse('0001-01-01');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const times = fc
  .oneof(fc.integer({ min: FIRST, max: LAST }), fc.integer({ min: -1e12, max: 4e12 }))
  .filter((ms) => Math.abs(ms) > 9999);

describe('a date', () => {
  test.each(periods)('falls into the %s that began last', (by) => {
    fc.assert(
      fc.property(times, (ms) => {
        const group = String(groupOf(ms, by));
        const [from, to] = boundsOf(group, by);
        expect(from).toBeLessThanOrEqual(ms);
        expect(ms).toBeLessThan(to);
        expect(groupOf(group, by)).toBe(by === 'day' || by === 'week' ? group : null);
        expect(groupOf(new Date(ms).toISOString(), by)).toBe(group);
      }),
    );
  });

  test('of another offset falls into its period in UTC', () => {
    const offsets = fc.record({
      hours: fc.integer({ min: 0, max: 23 }),
      minutes: fc.integer({ min: 0, max: 59 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        offsets,
        fc.boolean(),
        (ms, { hours, minutes }, isEast) => {
          const local = new Date(ms + (hours * 60 + minutes) * 60_000 * (isEast ? 1 : -1)).toISOString();
          const pad = (n: number) => String(n).padStart(2, '0');
          const written = local.replace('Z', `${isEast ? '+' : '-'}${pad(hours)}:${pad(minutes)}`);
          expect(dateIn(written)).toBe(Math.floor(ms / 1000) * 1000);
        },
      ),
    );
  });

  test.each([
    ['2026-05-14', ['2026-05-14', '2026-05-11', '2026-05', '2026-Q2', '2026']],
    ['2026-05-11', ['2026-05-11', '2026-05-11', '2026-05', '2026-Q2', '2026']],
    ['2024-02-29T23:59:59.999Z', ['2024-02-29', '2024-02-26', '2024-02', '2024-Q1', '2024']],
    ['2021-01-01t00:00:00z', ['2021-01-01', '2020-12-28', '2021-01', '2021-Q1', '2021']],
    ['2026-01-01T00:30:00+01:00', ['2025-12-31', '2025-12-29', '2025-12', '2025-Q4', '2025']],
    ['2016-12-31T23:59:60Z', ['2016-12-31', '2016-12-26', '2016-12', '2016-Q4', '2016']],
    ['2025-12-31 20:00:00-05:00', ['2026-01-01', '2025-12-29', '2026-01', '2026-Q1', '2026']],
    [-86_400_001, ['1969-12-30', '1969-12-29', '1969-12', '1969-Q4', '1969']],
    [10_000, ['1970-01-01', '1969-12-29', '1970-01', '1970-Q1', '1970']],
  ])('%s is in these', (value, groups) => {
    expect(periods.map((by) => groupOf(value, by))).toEqual(groups);
  });

  test.each([
    ...[
      '2025-02-29',
      '2025-13-01',
      '2025-00-10',
      '2025-04-31',
      '0000-01-01',
      '2025-5-1',
      '01.05.2025',
      '2025',
    ],
    ...['2025-05', '2025-05-01T10:00', '2025-05-01T10:00:00', '2025-05-01T24:00:00Z', '2025-05-01T10:60:00Z'],
    ...['9999-12-31T23:59:59-01:00', ' 2025-05-01', '2025-05-01\n', '1711500000000', 'May 2025', ''],
    ...[0, 7, 2026, -9999, 9999, 20_260.5, 1e300, Number.NaN, true, null, undefined],
  ])('%j is none', (value) => {
    expect(periods.map((by) => groupOf(value, by))).toEqual([null, null, null, null, null]);
  });
});

describe('a number', () => {
  test('falls into the step that begins last', () => {
    const widths = fc.oneof(
      fc.integer({ min: 1, max: 1e6 }),
      fc.constantFrom(0.1, 0.25, 0.05, 2.5, 1e-3, 0.7),
    );
    const numbers = fc.oneof(
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.integer({ min: -1e7, max: 1e7 }).map((n) => n / 100),
    );
    fc.assert(
      fc.property(numbers, widths, (value, width) => {
        const begins = Number(groupOf(value, { width }));
        expect(begins).toBeLessThanOrEqual(value);
        expect(value).toBeLessThan(Number((begins + width).toPrecision(15)));
        const steps = begins / width;
        expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-4);
        // The beginning begins its own step.
        expect(groupOf(begins, { width })).toBe(begins);
      }),
    );
  });

  test.each([
    [25, 20, 20],
    [40, 20, 40],
    [-1, 20, -20],
    [0.3, 0.1, 0.3],
    [0.7, 0.1, 0.7],
    [-0.3, 0.1, -0.3],
    [1.15, 0.05, 1.15],
    [4.35, 0.01, 4.35],
    [1e300, 1, 1e300],
    [1e308, 1e-5, 1e308],
    [3, 1e308, 0],
  ])('%d in steps of %d begins at %d', (value, width, begins) => {
    expect(groupOf(value, { width })).toBe(begins);
  });

  test('zero has no sign', () => {
    expect(Object.is(groupOf(-0, { width: 5 }), 0)).toBe(true);
    expect(Object.is(groupOf(2, { width: 5 }), 0)).toBe(true);
  });

  test.each(['20', '2026-05-11', true, null])('%j is none', (value) => {
    expect(groupOf(value, { width: 20 })).toBeNull();
  });
});

// Charts in the console: the scale that values share, where labels fit, and what is said to those who do not see them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChartData,
  labelEvery,
  roundStep,
  scaleOf,
  stackedValues,
  summaryOf,
} from '../../clients/console/view-models/chart-data.ts';

const chart = (...points: ChartData['points']): ChartData => ({
  head: 'Day',
  series: [
    { name: 'succeeded', look: 'good' },
    { name: 'failed', look: 'bad' },
  ],
  points,
  write: String,
});

test('a scale has round ticks from zero to the largest value', () => {
  expect(scaleOf([87, 3]).ticks).toEqual([0, 50, 100]);
  expect(scaleOf([0.3, 0.1]).ticks).toEqual([0, 0.1, 0.2, 0.3]);
  expect(scaleOf([4, -2]).ticks).toEqual([-2, 0, 2, 4]);
});

test('counts have whole ticks, and a chart of nothing has a scale', () => {
  expect(scaleOf([1, 2]).ticks).toEqual([0, 1, 2]);
  expect(scaleOf([])).toEqual({ from: 0, to: 1, ticks: [0, 1] });
  expect(scaleOf([0, 0])).toEqual({ from: 0, to: 1, ticks: [0, 1] });
});

test('every scale has zero and all of its values, with few ticks', () => {
  const value = fc.double({ min: -1e12, max: 1e12, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { maxLength: 20 }), (values) => {
      const { from, to, ticks } = scaleOf(values);
      expect(from).toBeLessThanOrEqual(0);
      expect(to).toBeGreaterThan(from);
      for (const one of values) {
        expect(one).toBeGreaterThanOrEqual(from - Math.abs(from) * 1e-9);
        expect(one).toBeLessThanOrEqual(to + Math.abs(to) * 1e-9);
      }
      expect(ticks.length).toBeLessThanOrEqual(7);
    }),
  );
});

test('a step is 1, 2 or 5 times a power of ten', () => {
  expect([3, 5, 7, 0.04, 0].map(roundStep)).toEqual([5, 5, 10, 0.05, 1]);
});

test('what is stacked goes up above zero, and down below it', () => {
  expect(stackedValues(chart({ label: 'a', values: [2, 3] }, { label: 'b', values: [4, -1] }))).toEqual([
    ...[5, 0],
    ...[4, -1],
  ]);
});

test('labels are left out where they would run into each other', () => {
  expect(labelEvery(['Jan 2025', 'Feb 2025'], 100)).toBe(1);
  expect(labelEvery(['Jan 2025', 'Feb 2025'], 20)).toBe(4);
});

test('a chart says in words what it draws', () => {
  const one: ChartData = {
    head: 'Month',
    series: [{ name: 'Records', look: 'first' }],
    points: [
      { label: 'Jan', values: [2] },
      { label: 'Feb', name: '2026-02', values: [9] },
    ],
    write: (value) => `${value} records`,
  };
  expect(summaryOf('By month', one)).toBe(
    'By month: 2 values, largest at 2026-02: 9 records. A table has all of them.',
  );
  expect(summaryOf('By day', chart({ label: 'a', values: [1, 2] }))).toContain('series succeeded, failed');
  expect(summaryOf('By day', chart())).toBe('By day: nothing to show.');
});

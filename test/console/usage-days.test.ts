// Usage by day: every day of the range is drawn, and the sums are those of all runs.
import { expect, test } from 'vitest';
import {
  costChart,
  daysUntil,
  durationsChart,
  runsChart,
  secondsText,
  totalOf,
  usageTable,
} from '../../clients/console/view-models/usage-days.ts';

const row = { runs: 0, cost_usd: 0, input_tokens: 0, output_tokens: 0, p50_ms: null, p95_ms: null };
const days = daysUntil(Date.UTC(2026, 2, 2, 23, 59), 3);

test('a range ends today, in UTC', () => {
  expect(days).toEqual(['2026-02-28', '2026-03-01', '2026-03-02']);
});

test('runs are stacked by outcome, and those that have not ended come last', () => {
  const { series, points } = runsChart(days, [
    { ...row, day: '2026-03-01', status: 'succeeded', runs: 5 },
    { ...row, day: '2026-03-01', status: 'failed', runs: 2 },
    { ...row, day: '2026-03-02', status: 'running', runs: 1 },
    { ...row, day: '2026-03-02', status: 'pending', runs: 3 },
  ]);
  expect(series.map(({ name }) => name)).toEqual(['succeeded', 'failed', 'canceled', 'not ended']);
  expect(points.map(({ values }) => values)).toEqual([
    [0, 0, 0, 0],
    [5, 2, 0, 0],
    [0, 0, 0, 4],
  ]);
});

test('a day without runs costs nothing and has no duration', () => {
  const rows = [{ ...row, day: '2026-03-01', runs: 2, cost_usd: 0.5, p50_ms: 420, p95_ms: 12_500 }];
  expect(costChart(days, rows).points.map(({ values }) => values)).toEqual([[0], [0.5], [0]]);
  expect(durationsChart(days, rows).points.map(({ values }) => values)).toEqual([
    [null, null],
    [0.42, 12.5],
    [null, null],
  ]);
  expect(totalOf(rows)).toEqual({ runs: 2, cost_usd: 0.5 });
});

test('a duration has three digits and its unit', () => {
  expect([0.42, 12.54, 204].map(secondsText)).toEqual(['0.42 s', '12.5 s', '3.4 min']);
});

test('a table of usage has its costs and times in one form a column', () => {
  const { columns, rows } = usageTable([
    { ...row, runs: 2, cost_usd: 0.5, p50_ms: 420 },
    { ...row, runs: 1, cost_usd: 0.0079 },
  ]);
  const cost = columns.find(({ name }) => name === 'cost');
  expect(rows.map((one) => cost?.write(Number(one.row.cost)))).toEqual(['$0.5000', '$0.0079']);
  expect(columns.map(({ label }) => label)).toEqual([
    ...['Runs', 'Cost', 'Input tokens', 'Output tokens', 'p50', 'p95'],
  ]);
});

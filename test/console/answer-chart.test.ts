// rules.md: console 17. The chart above a table of groups: which tables have one, and what it draws.
import { expect, test } from 'vitest';
import { answerChart, groupsIn } from '../../clients/console/view-models/answer-chart.ts';
import type { Row } from '../../clients/sdk/index.ts';

const chartOf = (columns: string[], rows: Row[], measure?: string) => {
  const groups = groupsIn(columns, rows);
  return groups && answerChart(rows, groups, measure ?? groups.measures[0] ?? '');
};

test('groups with one number are bars in the order of the table', () => {
  const rows = [
    { name: 'printer', Category: 'printer', average: 254.2 },
    { name: '(none)', Category: null, average: 249.77 },
  ];
  expect(chartOf(['name', 'Category', 'average'], rows)).toMatchObject({
    form: 'bars',
    bars: [
      { label: 'printer', value: 254.2 },
      { label: '(none)', value: 249.77 },
    ],
  });
});

test('groups by a date are columns in the order of time; what is missing has none, or zero where it counts', () => {
  const rows = (measure: string) => [
    { Created: '2026-03', [measure]: 5 },
    { Created: '2026-01', [measure]: 2 },
  ];
  const values = (measure: string) => {
    const chart = chartOf(['Created', measure], rows(measure));
    return chart?.form === 'columns' && chart.data.points.map((point) => [point.label, ...point.values]);
  };
  expect(values('count')).toEqual([
    ['Jan 2026', 2],
    ['Feb 2026', 0],
    ['Mar 2026', 5],
  ]);
  expect(values('average')).toEqual([
    ['Jan 2026', 2],
    ['Feb 2026', null],
    ['Mar 2026', 5],
  ]);
});

test('groups by a step of a number are columns in the order of the steps', () => {
  const rows = [
    { name: '20', size: 20, count: 9 },
    { name: '0', size: 0, count: 4 },
  ];
  expect(chartOf(['name', 'size', 'count'], rows)).toMatchObject({
    form: 'columns',
    data: {
      points: [
        { label: '0', values: [4] },
        { label: '20', values: [9] },
      ],
    },
  });
});

test('groups by a date and a text are stacked where their numbers add up, else lines', () => {
  const rows = (measure: string) => [
    { at: '2026-01', status: 'open', [measure]: 1 },
    { at: '2026-01', status: 'closed', [measure]: 8 },
    { at: '2026-02', status: 'open', [measure]: 2 },
  ];
  expect(chartOf(['at', 'status', 'count'], rows('count'))).toMatchObject({
    form: 'columns',
    data: {
      series: [{ name: 'closed' }, { name: 'open' }],
      points: [{ values: [8, 1] }, { values: [0, 2] }],
    },
  });
  expect(chartOf(['at', 'status', 'average'], rows('average'))).toMatchObject({
    form: 'lines',
    data: { points: [{ values: [8, 1] }, { values: [null, 2] }] },
  });
});

test('of many series the smaller ones are one', () => {
  const rows = Array.from({ length: 9 }, (_, at) =>
    ['2026-01', '2026-02'].map((month) => ({ month, at: `s${at}`, count: 9 - at })),
  );
  const chart = chartOf(['month', 'at', 'count'], rows.flat());
  expect(chart).toMatchObject({ form: 'columns' });
  expect(chart?.form === 'columns' && chart.data.series.map(({ name }) => name)).toEqual([
    ...['s0', 's1', 's2', 's3', 's4', 'others'],
  ]);
  expect(chart?.form === 'columns' && chart.data.points[0]?.values).toEqual([9, 8, 7, 6, 5, 10]);
});

test.each<[string, string[], Row[]]>([
  [
    'records',
    ['name', 'size'],
    [
      { name: '[A](entity=1)', size: 1 },
      { name: '[B](entity=2)', size: 2 },
    ],
  ],
  [
    'items of a source',
    ['name', 'city', 'size'],
    [
      { name: 'A', city: 'x', size: 1 },
      { name: 'B', city: 'y', size: 2 },
    ],
  ],
  ['one group', ['city', 'count'], [{ city: 'x', count: 1 }]],
  [
    'groups by two texts',
    ['a', 'b', 'count'],
    [
      { a: 'x', b: 'y', count: 1 },
      { a: 'x', b: 'z', count: 2 },
    ],
  ],
  [
    'no number',
    ['city', 'land'],
    [
      { city: 'x', land: 'y' },
      { city: 'z', land: 'y' },
    ],
  ],
])('a table of %s has no chart', (_, columns, rows) => {
  expect(groupsIn(columns, rows)).toBeUndefined();
});

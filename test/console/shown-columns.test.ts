// rules.md: artifacts 7. A name that only repeats the values of a group is not shown.
import { expect, test } from 'vitest';
import { shownColumns } from '../../clients/shown-columns.ts';

const rowsOf = (columns: string[], ...rows: (string | number | boolean | null)[][]) =>
  rows.map((cells) => Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? null])));

test.each([
  [
    'of one field',
    ['name', 'city', 'count'],
    [
      ['Oslo', 'Oslo', 2],
      ['(none)', null, 1],
    ],
    ['city', 'count'],
  ],
  ['of two', ['name', 'city', 'open', 'n'], [['Oslo / true', 'Oslo', true, 2]], ['city', 'open', 'n']],
  ['of a period', ['name', 'at', 'count'], [['2026-05', '2026-05', 2]], ['at', 'count']],
  [
    'of numbers',
    ['name', 'size', 'count'],
    [
      ['20', 20, 2],
      ['-0.5', -0.5, 1],
    ],
    ['size', 'count'],
  ],
  ['of all records', ['name', 'total'], [['', 36.5]], ['total']],
])('a group %s', (_, columns, rows, shown) => {
  expect(shownColumns(columns, rowsOf(columns, ...rows))).toEqual(shown);
});

test.each([
  [
    'says more',
    ['name', 'city'],
    [
      ['Oslo', 'Oslo'],
      ['Rome', 'Roma'],
    ],
  ],
  ['is a record link', ['name', 'title'], [['[Oslo](entity=6a1e55b5-432b-8a7d-b4b3-dac607b36d27)', 'Oslo']]],
  ['is all there is', ['name'], [['Oslo']]],
  ['is of a table without rows', ['name', 'city'], []],
  ['is not the first column', ['city', 'name'], [['Oslo', 'Oslo']]],
])('a name that %s is shown', (_, columns, rows) => {
  expect(shownColumns(columns, rowsOf(columns, ...rows))).toEqual(columns);
});

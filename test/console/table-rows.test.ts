// Tables in the console: what is found, how it is sorted, and how long that takes.
import { expect, test } from 'vitest';
import { foundRows, readRows, sortedRows } from '../../clients/console/view-models/table-rows.ts';
import type { Row } from '../../clients/sdk/index.ts';

const column = (rows: readonly { row: Row }[]) => rows.map(({ row }) => row.a);
const rowsOf = (...cells: Row[string][]) =>
  readRows(
    ['a'],
    cells.map((a) => ({ a })),
  );

test('numbers come by size, then texts by letter with numbers in them by size, empty cells last either way', () => {
  const rows = rowsOf('item 10', 7, null, 'item 9', 12, '', 'Äpfel', 'apple');
  expect(column(sortedRows(rows, { column: 'a', descending: false }))).toEqual([
    7,
    12,
    'Äpfel',
    'apple',
    'item 9',
    'item 10',
    null,
    '',
  ]);
  expect(column(sortedRows(rows, { column: 'a', descending: true })).slice(-2)).toEqual([null, '']);
  expect(sortedRows(rows, undefined)).toBe(rows);
});

test('a row is found by words anywhere in it, in any case, by the labels of its links and not by their ids', () => {
  const rows = readRows(
    ['a', 'b'],
    [
      { a: '[Acme \\[x\\]](entity=77)', b: 12 },
      { a: 'Borealis', b: { city: 'Oslo' } },
    ],
  );
  const found = (words: string) => foundRows(rows, words).map(({ row }) => row.b);
  expect(found('acme 12')).toEqual([12]);
  expect(found('OSLO')).toEqual([{ city: 'Oslo' }]);
  expect(found('77')).toEqual([]);
  expect(found('  ')).toHaveLength(2);
});

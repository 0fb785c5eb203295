// What a table shows of data: numbers that line up, years that are years, dates, lists, and texts that are cut.
import { expect, test } from 'vitest';
import { cellOf, columnsOf, visibleText } from '../../clients/console/view-models/cells.ts';
import type { Row } from '../../clients/sdk/index.ts';

/** The cells of a column. */
function cells(name: string, ...values: Row[string][]) {
  const rows = values.map((value) => ({ [name]: value }));
  return columnsOf([name], rows).flatMap((column) => values.map((value) => cellOf(value, column)));
}
const texts = (name: string, ...values: Row[string][]) =>
  cells(name, ...values).map((cell) => ('text' in cell ? cell.text : cell.kind));

test('the numbers of a column have the same decimals, as many as matter', () => {
  expect(texts('price', 12_494.8, 12_367.15, 3, null)).toEqual(['12,494.80', '12,367.15', '3.00', 'empty']);
  expect(texts('score', 0.83721, 0.5)).toEqual(['0.8372', '0.5000']);
  expect(texts('average', 1317.6556179775282)).toEqual(['1,317.66']);
  expect(texts('tiny', 1e-7)).toEqual(['0.000000100']);
});

test('a number that is rounded keeps its exact value', () => {
  expect(cells('average', 1317.6556179775282)).toMatchObject([{ exact: '1317.6556179775282' }]);
});

test('years and codes have no separators, amounts of the same size do', () => {
  expect(texts('founded', 2011, 1998)).toEqual(['2011', '1998']);
  expect(texts('employees', 2011, 410)).toEqual(['2,011', '410']);
  expect(texts('zip', 10_115)).toEqual(['10115']);
  expect(texts('address.zip', 10_115)).toEqual(['10115']);
});

test('a column is aligned as numbers only when it has nothing else', () => {
  const numeric = (...values: Row[string][]) =>
    columnsOf(
      ['a'],
      values.map((a) => ({ a })),
    ).map(({ isNumeric }) => isNumeric);
  expect([numeric(1, null, ''), numeric(1, 'x'), numeric(null)]).toEqual([[true], [false], [false]]);
});

test('lists are chips, members of objects are named in a fixed order, and what is empty shows nothing', () => {
  expect(cells('tags', ['eco', 'sale'])).toEqual([{ kind: 'chips', entries: ['eco', 'sale'] }]);
  expect(cells('address', { zip: '1', city: 'Oslo' })).toEqual([
    { kind: 'chips', entries: ['City: Oslo', 'Zip: 1'] },
  ]);
  expect(texts('a', [], '', null)).toEqual(['empty', 'empty', 'empty']);
});

test('a date keeps its ISO form, booleans are words, and a long text is cut', () => {
  expect(cells('at', '2025-03-01')).toMatchObject([{ kind: 'date', iso: '2025-03-01' }]);
  expect(texts('a', true, false)).toEqual(['yes', 'no']);
  expect(cells('a', 'x'.repeat(200), 'a\nb\nc\nd', 'short')).toMatchObject([
    ...[{ isLong: true }, { isLong: true }, { isLong: false }],
  ]);
});

test('what is searched and sorted is what a reader sees', () => {
  expect(['See [A &lt;b](entity=1).', null, [1, 'x'], true, { b: 1, a: [2] }].map(visibleText)).toEqual([
    'See A <b.',
    '',
    '1, x',
    'yes',
    'A: 2, B: 1',
  ]);
});

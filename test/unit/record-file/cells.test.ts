// What cells become: a number, a boolean or a date only where every cell of the column is one.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldsOf, kindsOf, read, recordsOf } from './given.ts';

/** A column `x` beside names. */
const column = (cells: readonly string[], separator = ',') =>
  [`name${separator}x`, ...cells.map((cell, i) => `n${i}${separator}${cell}`)].join('\n');

describe('numbers', () => {
  test.each([
    [
      ['1', '-2', '0', '3.50', '0.125'],
      [1, -2, 0, 3.5, 0.125],
    ],
    [
      ['1.5e-05', '2E+3'],
      [1.5e-5, 2000],
    ],
    [
      [' 7 ', '', '8'],
      [7, undefined, 8],
    ],
    [
      ['"1,5"', '"2,25"', '3'],
      [1.5, 2.25, 3],
    ],
    [['9007199254740991'], [9007199254740991]],
  ])('%j', async (cells, values) => {
    expect(await fieldsOf(column(cells))).toEqual(values.map((x) => (x === undefined ? {} : { x })));
  });

  test.each([
    ['a leading zero', ['007', '12']],
    ['a sign of currency', ['€12', '13']],
    ['a percent', ['12%', '13']],
    ['a plus sign', ['+49', '50']],
    ['more digits than a double keeps', ['12345678901234567890', '1']],
    ['one word', ['1', '2', 'n/a']],
    ['what may be thousands', ['"1,234"', '"5,678"']],
    ['thousands and decimals', ['"1,234.50"', '"2,000.00"']],
    ['a number of a product', ['12e4', '13']],
    ['a formula', ['=1+1', '2']],
    ['infinity', ['Infinity', '1']],
    ['hexadecimal', ['0x1F', '1']],
  ])('%s makes a text', async (_, cells) => {
    const texts = cells.map((cell) => ({ x: cell.replaceAll('"', '') }));
    expect(await fieldsOf(column(cells))).toEqual(texts);
  });

  test('a semicolon tells that a comma is of decimals, and that a point may be of thousands', async () => {
    expect(await fieldsOf(column(['1,234', '2'], ';'))).toEqual([{ x: 1.234 }, { x: 2 }]);
    expect(await fieldsOf(column(['1.234', '5.678'], ';'))).toEqual([{ x: '1.234' }, { x: '5.678' }]);
    expect(await fieldsOf(column(['1.234', '5.67'], ';'))).toEqual([{ x: 1.234 }, { x: 5.67 }]);
  });
});

test('booleans in any case', async () => {
  expect(await fieldsOf(column(['true', 'FALSE', 'True']))).toEqual([{ x: true }, { x: false }, { x: true }]);
  expect(await kindsOf(column(['true', 'yes']))).toMatchObject({ x: 'text' });
});

describe('dates', () => {
  test.each([
    [
      ['2026-05-11', '2024-02-29'],
      ['2026-05-11', '2024-02-29'],
    ],
    [
      ['2026-05-11T10:00:00Z', '2026-05-11'],
      ['2026-05-11T10:00:00Z', '2026-05-11'],
    ],
    [
      ['11.05.2026', '1.2.2026'],
      ['2026-05-11', '2026-02-01'],
    ],
    [
      ['11/05/2026', '25/12/2026'],
      ['2026-05-11', '2026-12-25'],
    ],
    [
      ['05/11/2026', '12/25/2026'],
      ['2026-05-11', '2026-12-25'],
    ],
  ])('%j', async (cells, dates) => {
    expect(await kindsOf(column(cells))).toMatchObject({ x: 'date' });
    expect(await fieldsOf(column(cells))).toEqual(dates.map((x) => ({ x })));
  });

  test.each([
    ['no day above 12 tells the order', ['05/11/2026', '06/12/2026']],
    ['both orders', ['25/12/2026', '12/25/2026']],
    ['three styles', ['2026-05-11', '11.05.2026', '11/25/2026']],
    ['no such day', ['2026-02-30', '2026-01-01']],
    ['no zone', ['2026-05-11 10:00', '2026-05-12 11:00']],
    ['two digits of a year', ['11.05.26', '12.05.26']],
  ])('%s: a text', async (_, cells) => {
    expect(await kindsOf(column(cells))).toMatchObject({ x: 'text' });
    expect(await fieldsOf(column(cells))).toEqual(cells.map((x) => ({ x })));
  });
});

test('a chosen column stays as it is written', async () => {
  expect(await fieldsOf(column(['1', '2.50']), { text_fields: ['x'] })).toEqual([{ x: '1' }, { x: '2.50' }]);
  await expect(read(column(['1']), { text_fields: ['y'] })).rejects.toThrow('no column y. Did you mean x?');
});

test('whatever is written as a CSV is read as it was', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 12 });
  const ends = fc.constantFrom('\n', '\r\n');
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(',', ';', '\t'), ends, async (cells, separator, end) => {
      // Letters around make a text of each; line ends within a cell are read as they stand.
      const named = cells.map(([a, b, c], i) => [`n${i}`, `x${a}`, `"${b}\n${a}"`, `${c},;\tx`]);
      const lines = [['name', 'a', 'b', 'c'], ...named].map((row) => row.map(quoted).join(separator));
      const records = await recordsOf(await read(lines.join(end)));
      expect(records.map(({ fields }) => fields)).toEqual(named.map(([, a, b, c]) => ({ a, b, c })));
    }),
  );
});

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

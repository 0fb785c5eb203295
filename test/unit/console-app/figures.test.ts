// Figures as the console writes them.
import { expect, test } from 'vitest';
import {
  agoText,
  counted,
  dateText,
  labelOf,
  moneyText,
} from '../../../clients/console/view-models/figures.ts';
import { durationText } from '../../../clients/duration-text.ts';
import { moneyColumn } from '../../../clients/money-column.ts';

test.each([
  [0, '$0'],
  [0.000004, '$0.000004'],
  [0.0012, '$0.0012'],
  [0.00998, '$0.01'],
  [0.01, '$0.01'],
  [3.04, '$3.04'],
  [1204.5, '$1,204.50'],
])('%d USD is %s', (usd, text) => {
  expect(moneyText(usd)).toBe(text);
});

test.each([
  [
    [0.02, 0.0079, 0.008],
    ['$0.0200', '$0.0079', '$0.0080'],
  ],
  [
    [3.04, 1204.5, 0],
    ['$3.04', '$1,204.50', '$0'],
  ],
  [
    [0.35, 0.000004, 0.00004],
    ['$0.3500', '<$0.0001', '<$0.0001'],
  ],
  [
    [0.012, 0.00995],
    ['$0.0120', '$0.0100'],
  ],
  [[0], ['$0']],
])('a column of %j USD has one precision', (amounts, texts) => {
  expect(amounts.map(moneyColumn(amounts, '$'))).toEqual(texts);
});

test.each([
  [0, '0 ms'],
  [27.6, '28 ms'],
  [999.4, '999 ms'],
  [999.5, '1.0 s'],
  [9_949, '9.9 s'],
  [9_950, '10 s'],
  [65_000, '1 min 5 s'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
])('%d ms last %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  [4_000, 'now'],
  [-60_000, 'now'],
  [59_000, '59 s ago'],
  [125_000, '2 min ago'],
  [7_300_000, '2 h ago'],
])('%d ms back is %s', (ms, text) => {
  expect(agoText(1_800_000_000_000 - ms, 1_800_000_000_000)).toBe(text);
});

test('what is older than a day has its date', () => {
  const noon = new Date(2024, 0, 5, 12).getTime();
  expect(agoText(noon, noon + 90_000_000)).toMatch(/Jan.*12/);
});

test('a date in data is written in the language of the reader, and nothing else is taken for one', () => {
  expect(dateText('2025-03-01')).toBe(new Date(2025, 2, 1).toLocaleDateString([], { dateStyle: 'medium' }));
  expect(dateText('2025-03-01T09:30:00.000Z')).toMatch(/2025.*:30/);
  for (const text of ['2025', '2025-13-45', 'on 2025-03-01', '2025-03-01 09:30', '12-03-2025'])
    expect(dateText(text)).toBeUndefined();
});

test('labels are the words of the name', () => {
  expect(
    ['steps_to_filter', 'address.city', 'x', '_', 'revenue_musd', 'total_eur', 'usd'].map(labelOf),
  ).toEqual([
    ...['Steps to filter', 'Address city', 'X', '_', 'Revenue (million USD)', 'Total (EUR)', 'Usd'],
  ]);
});

test('one of a thing is not many', () => {
  expect([counted(1, 'item'), counted(0, 'item'), counted(10_000, 'item')]).toEqual([
    '1 item',
    '0 items',
    '10,000 items',
  ]);
});

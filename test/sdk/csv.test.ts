// Tables as CSV: what a person or a spreadsheet reads.
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { toCsv } from '../../clients/sdk/index.ts';
import { asMarkdown, recordLink } from '../../functions/platform/markdown.ts';

const read = (columns: string[], rows: Parameters<typeof toCsv>[1]) => parse(toCsv(columns, rows));

test('links are names, with the ids in a column of their own', () => {
  const rows = [
    { name: recordLink('entity', 'id-1', 'Acme [x]'), city: 'Berlin' },
    { name: 'A group', city: null },
  ];
  expect(read(['name', 'city'], rows)).toEqual([
    ['name', 'city', '_record'],
    ['Acme [x]', 'Berlin', 'id-1'],
    ['A group', '', ''],
  ]);
});

test('texts are as the record has them', () => {
  const text = 'a `b` [c](d) <e> & \\f';
  expect(read(['a'], [{ a: asMarkdown(text) }])).toEqual([['a'], [text]]);
});

test('objects have a column for each member, in one order whatever that of the rows', () => {
  const rows = [
    { name: 'A', address: { zip: '1', city: { name: 'Wien' } }, tags: ['x', 'y'] },
    { name: 'B', address: { city: { name: 'Graz' }, zip: '2' }, tags: [] },
    { name: 'C', address: null, tags: null },
  ];
  expect(read(['name', 'address', 'tags'], rows)).toEqual([
    ['name', 'address.city.name', 'address.zip', 'tags'],
    ['A', 'Wien', '1', '["x","y"]'],
    ['B', 'Graz', '2', '[]'],
    ['C', '', '', ''],
  ]);
});

test('a column of objects and other values is JSON', () => {
  expect(read(['a'], [{ a: { b: 1 } }, { a: 'x' }, { a: [2] }])).toEqual([
    ['a'],
    ['{"b":1}'],
    ['x'],
    ['[2]'],
  ]);
});

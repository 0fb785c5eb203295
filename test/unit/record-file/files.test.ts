// What a file is, and what is refused of it, with its place.
import { describe, expect, test } from 'vitest';
import { FileProblem } from '../../../clients/record-file/file-problem.ts';
import { readRecordFile } from '../../../clients/record-file/record-file.ts';
import { fieldsOf, fileOf, kindsOf, read, recordsOf } from './given.ts';

const csv = 'Ticket ID,name,Amount (EUR)\nT-1,Ångström,12.5\nT-2,Žižek,3\n';
const records = [
  { type: 'thing', name: 'Ångström', fields: { 'Ticket ID': 'T-1', 'Amount (EUR)': 12.5 }, occurrence: 1 },
  { type: 'thing', name: 'Žižek', fields: { 'Ticket ID': 'T-2', 'Amount (EUR)': 3 }, occurrence: 1 },
];

const wide = (text: string, isBig: boolean) => {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i += 1) view.setUint16(i * 2, text.charCodeAt(i), !isBig);
  return bytes;
};

describe('the encoding is found out', () => {
  test.each([
    ['utf-8', new TextEncoder().encode(csv)],
    ['utf-8', new TextEncoder().encode(`\uFEFF${csv}`)],
    ['utf-16le', wide(`\uFEFF${csv}`, false)],
    ['utf-16be', wide(`\uFEFF${csv}`, true)],
    ['utf-16le', wide(csv, false)],
  ])('%s', async (encoding, bytes) => {
    const file = await read(bytes);
    expect(file.encoding).toBe(encoding);
    expect(await recordsOf(file)).toEqual(records);
  });

  test('windows-1252, where it is no UTF-8', async () => {
    const file = await read(Uint8Array.from([...'name,x\nM', 'e'].join(''), (sign) => sign.charCodeAt(0)));
    expect(file.encoding).toBe('utf-8');
    const bytes = Uint8Array.from('name,x\nM\u00fcller,\u0080 5\n', (sign) => sign.charCodeAt(0));
    const other = await read(bytes);
    expect(other.encoding).toBe('windows-1252');
    expect(await recordsOf(other)).toMatchObject([{ name: 'Müller', fields: { x: '€ 5' } }]);
  });
});

test.each([
  [',', csv],
  [';', csv.replaceAll(',', ';')],
  ['a tab', csv.replaceAll(',', '\t')],
  ['a bar', csv.replaceAll(',', '|')],
  ['; named in the first line', `sep=;\r\n${csv.replaceAll(',', ';').replaceAll('\n', '\r\n')}`],
  ['lines of an old Mac', csv.replaceAll('\n', '\r')],
  ['rows of separators alone at the end', `${csv},,\n,,\n\n`],
])('cells are separated by %s', async (_, text) => {
  expect(await recordsOf(await read(text))).toEqual(records);
});

test('quotes: cells with separators, quotes and line ends; a quote within a cell stands for itself', async () => {
  const text = 'name,x\n"a, ""b""\nc",12" pipe\n"d","e"\n';
  expect(await recordsOf(await read(text))).toMatchObject([
    { name: 'a, "b"\nc', fields: { x: '12" pipe' } },
    { name: 'd', fields: { x: 'e' } },
  ]);
});

test('too few cells: the rest is absent, and so is an empty cell', async () => {
  expect(await fieldsOf('name,x,y\na\nb,,2\n')).toEqual([{}, { y: 2 }]);
});

test('a header alone has no records', async () => {
  const file = await read('name,x\n');
  expect([file.rows, await recordsOf(file)]).toEqual([0, []]);
  expect((await read('[]')).rows).toBe(0);
});

describe('the name', () => {
  test.each([
    ['the column name', 'x,name\n1,a\n', {}, 'a'],
    ['a column Name', 'x,Name\n1,a\n', {}, 'a'],
    ['the first text that differs in every row', 'x,y,z\n1,s,a\n2,s,b\n', {}, 'a'],
    ['the chosen column', 'x,y\n1,s\n', { name_field: 'x' }, '1'],
  ])('is %s', async (_, text, choices, name) => {
    expect((await recordsOf(await read(text, choices)))[0]?.name).toBe(name);
  });

  test('is told apart by order where it comes again; one with an id of its own is not', async () => {
    const twins = await recordsOf(await read('name,x\na,1\nb,2\na,3\n'));
    expect(twins.map(({ name, occurrence }) => [name, occurrence])).toEqual([
      ['a', 1],
      ['b', 1],
      ['a', 2],
    ]);
    const named = await recordsOf(await read('name,x\na,1\na,2\n', { id_field: 'x' }));
    expect(named).toEqual([
      { type: 'thing', name: 'a', fields: {}, external_id: '1', source: 'custom' },
      { type: 'thing', name: 'a', fields: {}, external_id: '2', source: 'custom' },
    ]);
    const both = await recordsOf(await read('x\nA1\n', { id_field: 'x', name_field: 'x' }));
    expect(both).toMatchObject([{ name: 'A1', external_id: 'A1', fields: {} }]);
  });
});

describe('JSON', () => {
  const rows = [
    { name: 'a', total: 1, paid: true, on: '2026-05-11', tags: ['x'], note: null },
    { name: 'b', total: 2.5, paid: false, on: '2026-05-12' },
  ];
  const fields = [
    { total: 1, paid: true, on: '2026-05-11', tags: ['x'] },
    { total: 2.5, paid: false, on: '2026-05-12' },
  ];

  test.each([
    ['json', JSON.stringify(rows, null, 2)],
    ['ndjson', rows.map((row) => JSON.stringify(row)).join('\n')],
  ])('%s', async (format, text) => {
    const file = await read(text, {}, 'rows');
    expect(file.format).toBe(format);
    expect((await recordsOf(file)).map((record) => record.fields)).toEqual(fields);
    expect(file.columns.map(({ name, kind, role }) => [name, kind, role])).toEqual([
      ['name', 'text', 'name'],
      ['total', 'number', 'field'],
      ['paid', 'boolean', 'field'],
      ['on', 'date', 'field'],
      ['tags', 'json', 'field'],
    ]);
  });

  test('an object of type, name and fields says itself what it is', async () => {
    const lines = [
      { type: 'order', name: 'A', fields: { total: 1 }, external_uri: 'shop:1' },
      { type: 'order', name: 'B', fields: {} },
      { type: 'order', name: 'B' },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const file = await readRecordFile(fileOf(text), {});
    expect(file.columns).toEqual([]);
    const [first, second, third] = lines;
    expect(await recordsOf(file)).toEqual([first, { ...second, occurrence: 1 }, { ...third, occurrence: 2 }]);
  });

  test('with a chosen type, a line without fields is a row like others', async () => {
    const text = JSON.stringify([{ type: 'steel', name: 'A', id: 7 }]);
    expect(await recordsOf(await read(text, {}, 'rows'))).toMatchObject([
      { fields: { type: 'steel', id: 7 } },
    ]);
  });
});

describe('refused, with its place', () => {
  test.each([
    ['an empty file', '', 'the file is empty.'],
    ['a mark alone', '\uFEFF', 'the file is empty.'],
    ['too many cells', 'name,x\na,1\nb,1,2\n', 'line 3, column 3: the row has 3 cells, the header has 2.'],
    ['two columns of one name', 'name,x,x\n', 'line 1, column 3: column 2 is called x, too.'],
    ['a column without a name', 'name,,x\n', 'line 1, column 2: the column has no name.'],
    ['a million columns', `name${',x'.repeat(1_000_000)}\n`, 'line 1: the header has 1000001 columns.'],
    ['a row without a name', 'x,name\n1,a\n2,\n', 'line 3: the row has no name: its name is empty.'],
    ['a row without the name Name', 'x,Name\n1,a\n2,\n', 'line 3: the row has no name: its Name is empty.'],
    ['an open quote', 'name,x\na,"1\nb,2\n', 'line 2, column 2: the cell begins with a quote'],
    ['no name at all', 'x,y\n1,2\n1,2\n', 'no column can be the name of the records'],
    ['NUL', 'name,x\na,1\nb,\u0000\n', 'line 3, column 3: the character U+0000 is no text.'],
    ['broken JSON', '[{"name":"a"},\n{"name":}]', 'line 2, column 9: this is no JSON.'],
    ['an array that is not closed', '[{"name":"a"}', 'line 1, column 14: the array is not closed.'],
    ['a broken line', '{"name":"a"}\n{"name":}\n', 'line 2'],
    ['an element that is no object', '[1]', 'element 1 of the array is a number, not an object.'],
    [
      'a JSON row without a name',
      '[{"name":"a"},{"x":1}]',
      'line 2: the row has no name: its name is empty.',
    ],
    [
      'a first JSON row without a name',
      '[{"x":1},{"name":"a"}]',
      'line 1: the row has no name: its name is empty.',
    ],
    [
      'lines of two formats',
      '{"type":"a","name":"b","fields":{}}\n{"x":1}',
      'line 2: this is no {type, name, fields}, though the lines before it are.',
    ],
    ['a workbook', 'PK\u0003\u0004…', 'a workbook or another zip file is no text. Save the sheet as CSV.'],
    ['a PDF', '%PDF-1.7', 'a PDF is no text. Its text has to be taken out first.'],
  ])('%s', async (_, text, message) => {
    const refusal = read(text, {}, 'file');
    await expect(refusal).rejects.toThrow(FileProblem);
    await expect(refusal).rejects.toThrow(message);
  });

  test('an id that comes twice, a column that is not there, a type that is not said', async () => {
    await expect(read('name,x\na,1\nb,2\nc,1\n', { id_field: 'x' })).rejects.toThrow(
      'line 4: the id 1 is that of line 2, too.',
    );
    await expect(read('name,city\na,1\n', { id_field: 'citty' })).rejects.toThrow(
      'there is no column citty. Did you mean city?',
    );
    await expect(read('name\na\n', { type: undefined })).rejects.toThrow(
      'rows need the type of their records',
    );
  });
});

test('what is called JSON is not read as a table', async () => {
  await expect(readRecordFile(fileOf('name,x\na,1\n', 'rows.json'), {})).rejects.toThrow('line 1');
});

test('a file that grows is read as far as it was checked', async () => {
  let content = 'name,x\na,1\n';
  const growing = { name: 'f.csv', bytes: () => fileOf(content).bytes() };
  const file = await readRecordFile(growing, { type: 'thing' });
  content += 'b,no number\n';
  expect((await recordsOf(file)).map(({ name }) => name)).toEqual(['a']);
});

test('a header of dates, formulas and signs is names like any other', async () => {
  expect(await kindsOf('name,2026-05,=A1,%\na,1,2,3\n')).toEqual({
    name: 'text',
    '2026-05': 'number',
    '=A1': 'number',
    '%': 'number',
  });
});

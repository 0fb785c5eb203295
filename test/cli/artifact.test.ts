// Artifacts as CSV, Markdown and text: judged by a parser of RFC 4180 that is not ours.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { answering, folder, runs } from './terminal.ts';

const ID = '01a1fef7-b719-7ed6-a718-8589119636a6';
const home = { key: 'sk_of_nobody', access: { base_url: 'http://127.0.0.1:9/api/v1', site_url: '' } };
const columns = ['name', 'note, "quoted"', 'amount'];
const cells = [
  ['Acme, Inc.', 'says "hello"', '12.5'],
  ['two\nlines', 'three\r\nlines\r', '-3'],
  ['=1+1', '@SUM(A1)', '+1'],
  ['-2+3', '\ttab', ''],
  ['日本語', ' blank ', 'true'],
];
const rows = cells.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
const table = {
  id: ID,
  object: 'artifact',
  kind: 'table',
  title: 'T',
  run_id: ID,
  created_at: 1,
  row_count: 5,
  columns,
  rows,
};
const fetch = answering(200, table);

test('another CSV parser reads the same table', async () => {
  const { out } = await runs(['artifact', ID, '--csv'], { home, fetch });
  expect(parse(out, { record_delimiter: '\r\n' })).toEqual([columns, ...cells]);
});

test('--safe puts a quote before what a spreadsheet would compute, and changes no other cell', async () => {
  const { out } = await runs(['artifact', ID, '--csv', '--safe'], { home, fetch });
  const safe = (cell: string) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);
  expect(parse(out, { record_delimiter: '\r\n' })).toEqual([columns, ...cells.map((row) => row.map(safe))]);
  expect(out).toContain("'=1+1");
});

const formulas = [
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '﹢1',
  ' =1',
  '\n=1',
  '\r\n=1',
  '\u3000=1',
  '\u00a0+1',
  '|=1',
  '｜＝1',
  ' | -1',
];
test.each(formulas)('--safe puts a quote before a formula in disguise: %j', async (cell) => {
  const disguised = { ...table, columns: ['a'], rows: [{ a: cell }], row_count: 1 };
  const { out } = await runs(['artifact', ID, '--csv', '--safe'], { home, fetch: answering(200, disguised) });
  expect(parse(out, { record_delimiter: '\r\n' })).toEqual([['a'], [`'${cell}`]]);
});

test.each([' plain', '| a | b |', 'a=1', '１－２', '日本'])('--safe leaves %j unchanged', async (cell) => {
  const harmless = { ...table, columns: ['a'], rows: [{ a: cell }], row_count: 1 };
  const { out } = await runs(['artifact', ID, '--csv', '--safe'], { home, fetch: answering(200, harmless) });
  expect(parse(out, { record_delimiter: '\r\n' })).toEqual([['a'], [cell]]);
});

test('-o writes the exact bytes to a file and prints a note only', async () => {
  const piped = await runs(['artifact', ID, '--csv'], { home, fetch });
  const done = await runs(['artifact', ID, '--csv', '-o', 'table.csv'], { home, fetch });
  expect(done).toMatchObject({ code: 0, out: '', err: expect.stringContaining('written to table.csv') });
  expect(readFileSync(join(folder, 'table.csv'), 'utf8')).toBe(piped.out);
  expect(await runs(['artifact', ID, '-o', 'none/table.csv'], { home, fetch })).toMatchObject({ code: 2 });
});

test('on a terminal a cell cannot steer it', async () => {
  const hostile = {
    ...table,
    rows: [{ name: 'a\u001b[2Jb', [columns[1] ?? '']: '\u009b', amount: '\u0007' }],
  };
  const { out } = await runs(['artifact', ID, '--csv'], { home, fetch: answering(200, hostile), tty: true });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test('Markdown escapes what would break a row', async () => {
  const piped = { ...table, rows: [{ name: 'a|b', [columns[1] ?? '']: 'x\ny', amount: 1 }] };
  const { out } = await runs(['artifact', ID, '--md'], { home, fetch: answering(200, piped) });
  expect(out).toBe('| name | note, "quoted" | amount |\n| --- | --- | --- |\n| a\\|b | x y | 1 |\n');
});

test('the artifacts of a real run: listed, its only table as CSV, its only text as Markdown', async () => {
  const workspace = await given.workspace();
  await given.companies(workspace.workspace_id);
  const { body } = await when.createsPlanRun(workspace, [when.fetchCompanies, when.answer]);
  const run = await then.ended(workspace, body.id);
  const listed = await runs(['artifact', '--run', run.id], { home: workspace });
  expect(listed.out.trimEnd().split('\n')).toHaveLength(run.artifacts.length);
  const csv = await runs(['artifact', '--run', run.id, '--csv'], { home: workspace });
  expect(parse(csv.out)).toHaveLength(1 + 3);
  expect((await runs(['artifact', '--run', run.id, '--md'], { home: workspace })).out).toMatch(/\w/);
  const [text] = run.artifacts.filter(({ kind }: { kind: string }) => kind === 'text');
  expect(await runs(['artifact', text.id, '--csv'], { home: workspace })).toMatchObject({
    code: 2,
    err: expect.stringContaining('not a table'),
  });
});

// Artifacts as CSV, JSON lines, Markdown and text.
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
const table = {
  id: ID,
  object: 'artifact',
  kind: 'table',
  title: 'T',
  run_id: ID,
  created_at: 1,
  row_count: 1,
  columns: ['name'],
  rows: [{ name: 'a\u001b[2Jb' }],
};

test('-o writes the exact bytes to a file and prints a note only', async () => {
  const text = 'name,_record\r\n"two\nlines",\r\n';
  const fetch = async () => new Response(text);
  expect((await runs(['artifact', ID, '--csv'], { home, fetch })).out).toBe(text);
  const done = await runs(['artifact', ID, '--csv', '-o', 'table.csv'], { home, fetch });
  expect(done).toMatchObject({ code: 0, out: '', err: expect.stringContaining('written to table.csv') });
  expect(readFileSync(join(folder, 'table.csv'), 'utf8')).toBe(text);
  expect(await runs(['artifact', ID, '--csv', '-o', 'none/table.csv'], { home, fetch })).toMatchObject({
    code: 2,
  });
});

test.each([[[]], [['--csv']], [['--md']]])('on a terminal a cell cannot steer it: %j', async (flags) => {
  const hostile = async () => new Response('a\u001b[2Jb\u009b\u0007');
  const fetch = flags.length === 0 ? answering(200, table) : hostile;
  const { out } = await runs(['artifact', ID, ...flags], { home, fetch, tty: true });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
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
  const lines = await runs(['artifact', '--run', run.id, '--jsonl'], { home: workspace });
  expect(
    lines.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).name),
  ).toContain('Acme');
  expect((await runs(['artifact', '--run', run.id, '--md'], { home: workspace })).out).toMatch(/\w/);
  const [text] = run.artifacts.filter(({ kind }: { kind: string }) => kind === 'text');
  expect(await runs(['artifact', text.id, '--csv'], { home: workspace })).toMatchObject({
    code: 6,
    err: expect.stringContaining('An artifact of kind text has no csv'),
  });
});

test('a table without rows as JSON lines is nothing, with exit code 0', async () => {
  const workspace = await given.workspace();
  const { body } = await when.createsPlanRun(workspace, [when.fetchCompanies, when.answer]);
  await then.ended(workspace, body.id);
  const lines = await runs(['artifact', '--run', body.id, '--jsonl'], { home: workspace });
  expect(lines).toMatchObject({ code: 0, out: '' });
});

test('a link opens without a key, in its format, for as long as it was asked for', async () => {
  const workspace = await given.workspace();
  await given.companies(workspace.workspace_id);
  const { body } = await when.createsPlanRun(workspace, [when.fetchCompanies, when.answer]);
  const [made] = (await then.ended(workspace, body.id)).artifacts;
  const { out, err } = await runs(['link', made.id, '--format', 'md', '--expires-in', '2m'], {
    home: workspace,
  });
  const opened = await fetch(out.trim());
  expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect(err).toMatch(/works until 2\d{3}-/);
});

// What people at a terminal read: tables cut to its width, answers broken at words, times as they are said.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { whenText } from '../../clients/cli/output/amounts.ts';
import { columnsText } from '../../clients/cli/output/columns.ts';
import { asShown } from '../../clients/cli/output/markdown.ts';
import { widthOf } from '../../clients/cli/output/terminal.ts';
import * as given from '../support/given.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { answering, runs } from './terminal.ts';

const ID = '01a20086-ad81-72c6-b576-2893bcd9e7f0';
const paint = (_: unknown, text: string) => `<${text}>`;
const at = (columns: number | undefined) => ({ columns, paint, now: 1_000_000_000_000 });
const linesOf = (text: string) => text.trimEnd().split('\n');

test('a table takes no more than the width of the terminal: long cells are cut, ids are not', () => {
  const rows = [
    [ID, 'a title that is much too long for what is left', 'Berlin'],
    ['02b20086-ad81-72c6-b576-2893bcd9e7f0', '日本語のとても長い見出しで幅が足りない', 'Oslo'],
  ];
  const lines = linesOf(columnsText(rows, { heads: ['ID', 'TITLE', 'CITY'], columns: 60 }));
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(60);
  expect(lines[1]).toMatch(new RegExp(`^${ID}  a title .*…  Berlin$`));
  expect(linesOf(columnsText(rows))[0]).toContain('much too long for what is left');
});

test('columns for which there is no room are named', () => {
  const heads = Array.from({ length: 12 }, (_, i) => `field_${i}`);
  const lines = linesOf(columnsText([heads.map(() => 'some value here')], { heads, columns: 40 }));
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(40);
  expect(lines.at(-1)).toMatch(/^not shown: field_4, field_5/);
});

test('an answer breaks at words, bold without its marks, and goes on below its list item', () => {
  const text = '## Cities\n\n- **Norddata**: city Berlin, country Germany\n**Sum.** 2 ** 3 is eight';
  expect(linesOf(asShown(text, at(24)))).toEqual([
    '<Cities>',
    '',
    '- <Norddata>: city Berlin,',
    '  country Germany',
    '**Sum.** 2 ** 3 is eight',
  ]);
  expect(asShown(text, at(undefined))).toBe(text);
});

test('tables and code in an answer keep their lines', () => {
  const text = `| ${'a'.repeat(40)} |\n\`\`\`sh\n${'curl '.repeat(20)}\n\`\`\``;
  const [row, , code] = linesOf(asShown(text, at(30)));
  expect([widthOf(row ?? ''), code]).toEqual([30, 'curl '.repeat(20)]);
});

test.each([
  [-12_000, '12 s ago'],
  [-185_000, '3 min ago'],
  [-2 * 3_600_000, '2 h ago'],
  [-5 * 86_400_000, '5 d ago'],
  [-90 * 86_400_000, '2001-06-11'],
  [3 * 3_600_000, 'in 3 h'],
])('a time %i ms from now is "%s" on a terminal, and whole in a pipe', (ms, said) => {
  const { now } = at(80);
  expect(whenText(now + ms, at(80))).toBe(said);
  expect(whenText(now + ms, at(undefined))).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/);
});

test('lists have heads in one style and times as they are said, the audit names of keys; a pipe has neither', async () => {
  const home = await given.workspace();
  const { body: run } = await when.createsPlanRun(home, [{ kind: 'fetch' }]);
  await then.ended(home, run.id);
  await runs(['key', 'create', '--name', 'nightly', '--scope', 'runs:read'], { home });
  const [{ key_id = '' } = {}] = JSON.parse((await runs(['key', 'list', '--json'], { home })).out).data;
  const shown = async (...args: string[]) => linesOf((await runs(args, { home, tty: true })).out);
  const [heads = '', first = ''] = await shown('list');
  expect(heads).toMatch(/^ID +STATUS +TYPE +CREATED /);
  expect(first).toMatch(new RegExp(`^${run.id} .* \\d+ s ago `));
  const [auditHeads = '', entry = ''] = await shown('audit');
  expect(auditHeads).toMatch(/^AT +ACTION +TARGET +ACTOR$/);
  expect(entry).toMatch(/^\d+ s ago +key\.create +nightly /);
  const piped = (await runs(['audit'], { home })).out;
  expect(piped).toMatch(new RegExp(`^\\d{4}-.*Z  key\\.create +${key_id} `));
  for (const line of [...(await shown('key', 'list')), ...(await shown('list'))])
    expect(widthOf(line)).toBeLessThan(80);
});

test('a long answer is broken at 80 columns on a terminal, and is one line in a pipe', async () => {
  const home = { key: 'sk_of_nobody', access: { base_url: 'http://127.0.0.1:9/api/v1', site_url: '' } };
  const text = `**Findings.** ${'many words in one line '.repeat(20)}`;
  const artifact = { id: ID, object: 'artifact', kind: 'text', title: 'T', content: text };
  const fetch: typeof globalThis.fetch = (url, init) =>
    String(url).includes('format=md')
      ? Promise.resolve(new Response(text, { headers: { 'content-type': 'text/markdown' } }))
      : answering(200, artifact)(url, init);
  const { out } = await runs(['artifact', ID], { home, fetch, tty: true, env: { NO_COLOR: '1' } });
  expect(out.startsWith('Findings. many words')).toBe(true);
  for (const line of linesOf(out)) expect(line.length).toBeLessThan(80);
  expect((await runs(['artifact', ID], { home, fetch })).out).toBe(text);
});

test('a service that does not answer is named with the cause', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = Object(closed.address());
  await new Promise((done) => closed.close(done));
  const base_url = `http://127.0.0.1:${port}/api/v1`;
  const { code, err } = await runs(['whoami'], { home: { key: 'sk_x', access: { base_url, site_url: '' } } });
  expect(code).toBe(8);
  expect(err).toMatch(new RegExp(`the service does not answer: .*ECONNREFUSED 127\\.0\\.0\\.1:${port}`));
});

// The guide to work of your own, as it is written: a program in the terminal, a Lambda, an agent in Python, an approval.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SourceFile } from '../../functions/contract/live-sources.ts';
import { envOf, runs } from '../cli/terminal.ts';
import * as given from '../support/given.ts';
import { liveSource, setUp } from '../support/live-source.ts';
import { freePort } from '../support/local-server.ts';
import { hasPython } from '../support/python.ts';
import { call, until } from '../support/service.ts';
import { codeBlocks, sh } from '../support/snippets.ts';
import * as then from '../support/then.ts';

const guide = 'functions/contract/document/guides/your-work.md';
const [scorer, , scores, approval, letters] = codeBlocks(guide, 'json').map((block) => JSON.parse(block));
const folder = mkdtempSync(join(tmpdir(), 'your-work-'));
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
  rmSync(folder, { recursive: true, force: true });
});

async function workspace(): Promise<given.Home> {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  return home;
}

/** A program of the guide, until the tests are over. */
function started(program: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  closing.push(() => child.kill());
  return child;
}

/** The end of a run of the plan of scores, and the rows of its table. */
async function scored(home: given.Home) {
  const body = { input_type: 'plan', plan: scores };
  const { id } = (await call('POST', '/runs', { key: home.key, body })).body;
  const run = await then.ended(home, id);
  expect(run).toMatchObject({ status: 'succeeded' });
  const { rows } = (await call('GET', `/artifacts/${run.artifacts[0].id}`, { key: home.key })).body;
  return { run, rows };
}

test('a program in the terminal does the jobs of a source', async () => {
  const home = await workspace();
  const port = String(await freePort());
  await setUp(home, SourceFile.parse({ ...scorer, url: `http://127.0.0.1:${port}` }));
  const [, program = ''] = /node -e \\\n {2}'(.*)'$/m.exec(codeBlocks(guide, 'sh')[0] ?? '') ?? [];
  const stop = new AbortController();
  const args = ['work', '--source', 'scorer', '--port', port, '--', process.execPath, '-e', program];
  const working = runs(args, { home, env: { PATH: process.env.PATH ?? '' }, interrupted: stop.signal });
  const { rows } = await scored(home);
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) expect(row).toMatchObject({ score: 7 });
  stop.abort();
  expect((await working).code).toBe(130);
});

test('the Lambda does the jobs of a source', async () => {
  const [code = ''] = codeBlocks(guide, 'ts');
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(30);
  const home = await workspace();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const secret = await setUp(home, SourceFile.parse({ ...scorer, url }));
  const client = new URL('../../clients/sdk/index.ts', import.meta.url).href;
  writeFileSync(join(folder, 'scorer.mjs'), code.replace("'run-service-client'", `'${client}'`));
  const [server = ''] = codeBlocks(guide, 'js');
  writeFileSync(join(folder, 'try.mjs'), server.replace('8090', String(port)));
  started(process.execPath, [join(folder, 'try.mjs')], { SOURCE_SECRET: secret });
  await until('the server', () => fetch(url, { method: 'POST' }).catch(() => undefined));
  const { rows } = await scored(home);
  for (const row of rows) expect(row).toMatchObject({ score: expect.any(Number) });
});

/** An endpoint of a model that looks one company up, then answers. */
const model = () =>
  liveSource(({ body: { messages } }) => {
    const usage = { prompt_tokens: 100, completion_tokens: 20 };
    const looked = messages.find(({ role }: { role: string }) => role === 'tool');
    const content = JSON.stringify([{ name: 'Acme', fields: { news: looked?.content } }]);
    const call = { id: '1', type: 'function', function: { name: 'look_up', arguments: '{"name":"Acme"}' } };
    const message = looked ? { role: 'assistant', content } : { role: 'assistant', tool_calls: [call] };
    return { choices: [{ message }], usage };
  });

test.runIf(hasPython)('the agent tells what it does and what it has used', async () => {
  const home = await workspace();
  const [chat, port] = [await model(), await freePort()];
  closing.push(() => chat.close());
  const url = `http://127.0.0.1:${port}/`;
  const secret = await setUp(home, SourceFile.parse({ ...scorer, url }));
  const [code = ''] = codeBlocks(guide, 'python');
  started('python3', ['-W', 'error', '-c', code], {
    PYTHONPATH: resolve('clients/python/src'),
    ...{ MODEL: 'm', MODEL_URL: chat.url, MODEL_API_KEY: 'k', SOURCE_SECRET: secret, PORT: String(port) },
  });
  await until('the agent', () => fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined));
  const { run, rows } = await scored(home);
  expect(rows).toEqual([expect.objectContaining({ news: 'Acme has opened a second factory.' })]);
  expect(run.usage).toMatchObject({ jobs: { count: 1 } });
  expect(run.usage.input_tokens).toBeGreaterThanOrEqual(200);
  const { data } = (await call('GET', `/runs/${run.id}/events?limit=100`, { key: home.key })).body;
  expect(JSON.stringify(data)).toContain('looks up Acme');
});

test('an approval is answered from the terminal', async () => {
  const home = await workspace();
  await setUp(home, SourceFile.parse(approval));
  writeFileSync(join(folder, 'letters.json'), JSON.stringify(letters));
  const [, , , , asked = '', answer = ''] = codeBlocks(guide, 'sh');
  const [, create = ''] = asked.split('\n');
  const shell = (script: string) =>
    sh(
      script
        .replaceAll('npm run --silent runs --', '"$NODE" clients/cli/runs.ts')
        .replace('letters.json', join(folder, 'letters.json'))
        .replaceAll(' --local', ''),
      envOf(home),
    );
  const id = (await shell(create)).trim();
  await until('the question', async () => {
    const { body } = await call('GET', `/runs/${id}`, { key: home.key });
    return body.waiting?.reason === 'person' ? body : undefined;
  });
  expect((await runs(['get', id], { home })).out).toMatch(/^waiting +for approval, until 20.*, job /m);
  const { data: asked_for } = (await call('GET', `/jobs?run_id=${id}`, { key: home.key })).body;
  const shown = await runs(['jobs', 'get', asked_for[0].job_id], { home });
  expect(shown.out).toContain('answer by {"type":"object"');
  await shell(answer);
  const run = await then.ended(home, id);
  expect(run).toMatchObject({ status: 'succeeded', usage: expect.any(Object) });
  const items = await call('GET', `/runs/${id}/steps/2/items`, { key: home.key });
  expect(items.body.data[0]).toMatchObject({
    type: 'approval',
    fields: { approved: true, comment: 'Friendly' },
  });
});

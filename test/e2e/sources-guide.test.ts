// The sample sources of the guide: judged as a user judges a source of their own, and read by a run.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { SourceFile } from '../../functions/contract/live-sources.ts';
import * as given from '../support/given.ts';
import { liveSource, setUp } from '../support/live-source.ts';
import { freePort } from '../support/local-server.ts';
import { fetchedBy, outcomeOf } from '../support/outcomes.ts';
import { until } from '../support/service.ts';
import { codeBlocks } from '../support/snippets.ts';

const guide = 'functions/contract/document/guides/sources.md';
const folder = mkdtempSync(join(tmpdir(), 'sources-'));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** The lines of `npm run judge:source` about a source, and its exit code. */
async function judge(url: string, secret: string): Promise<{ lines: string[]; code: number }> {
  const env = { ...process.env, SOURCE_SECRET: secret };
  const judged = promisify(execFile)(process.execPath, ['bin/judge-source.ts', url], { env });
  const { stdout, code } = await judged.then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; code: number }) => failed,
  );
  return { lines: stdout.trim().split('\n'), code };
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.each([
  { language: 'ts', file: 'source.ts', program: process.execPath, runs: true },
  { language: 'python', file: 'source.py', program: 'python3', runs: hasPython },
])(
  'the sample in $language passes the judge, and a run reads it',
  async ({ language, file, program, runs }) => {
    const [code = ''] = codeBlocks(guide, language);
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(45);
    if (!runs) return;
    const home = await given.workspace();
    const url = `http://127.0.0.1:${await freePort()}/records`;
    const [described = ''] = codeBlocks(guide, 'json');
    const secret = await setUp(home, { ...SourceFile.parse(JSON.parse(described.replace('…', 'x'))), url });
    writeFileSync(join(folder, file), code);
    const env = { ...process.env, SOURCE_SECRET: secret, PORT: new URL(url).port };
    running.push(spawn(program, [join(folder, file)], { env, stdio: 'ignore' }));
    await until('the source', () => fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined));
    const { lines, code: exit } = await judge(url, secret);
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
    expect(exit).toBe(0);
    const [, step = '{}'] = codeBlocks(guide, 'json');
    expect((await outcomeOf(home, JSON.parse(step))).names).toEqual(['Ada Berg', 'Cleo Dahl']);
    expect((await fetchedBy(home, { source: 'contacts' })).names).toHaveLength(3);
  },
);

test('the judge names what is wrong with a source', async () => {
  const careless = await liveSource(() => ({ items: [{ name: 'x' }, { name: 'x' }], next_cursor: 'same' }));
  const { lines, code } = await judge(careless.url, 'a secret');
  careless.close();
  expect(code).toBe(1);
  expect(lines.map((line) => line.split(/\s+/)[0])).toEqual(
    expect.arrayContaining(['ok', 'failed', 'failed', 'failed', 'failed']),
  );
  expect(lines.join('\n')).toMatch(/failed {2}refuses a wrong signature: it answered with 200/);
  expect(lines.join('\n')).toMatch(/failed {2}gives pages that end: next_cursor "same" came twice/);
});

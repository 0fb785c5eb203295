// The start as `npm start` makes it: one process from the first moment on, and quick where nothing has changed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const dataDir = mkdtempSync(join(tmpdir(), 'run-service-start-'));
let child: ChildProcess | undefined;
afterAll(async () => {
  await kill();
  rmSync(dataDir, { recursive: true, force: true });
});

const access = () => {
  const file = join(dataDir, 'local.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
};
const madeAt = () => statSync(join(dataDir, 'cdk.out/RunService.template.json')).mtimeMs;

async function start(...flags: string[]): Promise<void> {
  child = spawn(process.execPath, ['bin/local.ts', '--data-dir', dataDir, '--port', '0', ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { pid } = child;
  await expect.poll(access, { timeout: 60_000 }).toMatchObject({ pid });
}

async function kill(): Promise<void> {
  if (!child || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

test('a start serves from the assembly of the start before, even after a kill (rules.md: local 2, local 3)', async () => {
  await start();
  const first = madeAt();
  await kill();
  await start();
  expect(madeAt()).toBe(first);
  const { base_url, api_key } = access();
  expect((await fetch(`${base_url}/runs`, { headers: { authorization: `Bearer ${api_key}` } })).status).toBe(
    200,
  );
});

test.runIf(process.platform === 'linux')('on Linux all threads share two heaps', async () => {
  expect(readFileSync(`/proc/${child?.pid}/environ`, 'utf8')).toContain('\0MALLOC_ARENA_MAX=2\0');
});

test('the sign-in page of a start with the demo workspace opens it, that of one without does not (rules.md: local 19)', async () => {
  const offered = async () => {
    const { site_url } = access();
    const page = await (await fetch(`${site_url}/console`)).text();
    const [, path] = / data-demo="([^"]*)"/.exec(page) ?? [];
    const headers = { 'sec-fetch-site': 'same-origin' };
    const reply = await fetch(`${site_url}/console/demo-key`, { method: 'POST', headers });
    return { path, status: reply.status, answer: await reply.json() };
  };
  const { api_key } = access();
  expect(await offered()).toEqual({ path: 'console/demo-key', status: 200, answer: { api_key } });
  await kill();
  await start('--no-seed');
  expect(await offered()).toMatchObject({ path: undefined, status: 404 });
});

// The packaged service as its users get it: installed into an empty folder, alone, and started (rules.md: local 18).
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from '../../bin/pack/pack.ts';
import { openAiServer } from '../support/openai-server.ts';
import { npmProgram } from '../support/platform.ts';

const MB = 1e6;
const home = mkdtempSync(join(tmpdir(), 'run service ü-'));
const packages = join(home, 'packages');
const user = join(home, 'user');
const program = join(user, 'node_modules/run-service/cli.mjs');
let child: ChildProcess | undefined;

const run = (args: string[], node = process.execPath) =>
  promisify(execFile)(node, [program, ...args], { cwd: user }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

beforeAll(async () => {
  await pack({ scope: undefined }, packages, ['service']);
  const tarball = join(packages, 'run-service-0.1.0.tgz');
  const args = ['install', '--offline', '--no-audit', '--no-fund', '--prefix', user, tarball];
  execFileSync('npm', args, { cwd: home, stdio: 'pipe', ...npmProgram });
});
afterAll(() => {
  child?.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

const filesIn = (folder: string) =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('the tarball has at most 4 MB, and installs nothing else', () => {
  expect(statSync(join(packages, 'run-service-0.1.0.tgz')).size).toBeLessThanOrEqual(4 * MB);
  expect(globSync('*', { cwd: join(user, 'node_modules') })).toEqual(['run-service']);
});

test('the help and the version are asked for in the usual ways', async () => {
  expect((await run(['-h'])).stdout).toBe((await run(['--help'])).stdout);
  expect((await run(['start', '-h'])).stdout).toBe((await run(['start', '--help'])).stdout);
  expect(await run(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
});

test('no word, a wrong one and a wrong flag are one line and exit code 2', async () => {
  expect(await run([])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'name a command: start, admin, runs, mcp; npx run-service --help prints how\n',
  });
  expect(await run(['strat'])).toMatchObject({
    code: 2,
    stderr: 'unknown command strat; did you mean start?\n',
  });
  expect(await run(['start', '--prot', '1'])).toMatchObject({ code: 2, stdout: '' });
});

/** An older Node, where the machine has one. */
const older = ['/usr/bin/node'].filter(
  (path) => existsSync(path) && Number(execFileSync(path, ['-p', 'parseInt(process.versions.node)'])) < 22,
);

test.each(older)('a Node that is too old (%s) is one line and exit code 2', async (node) => {
  expect(await run(['start'], node)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^run-service needs Node 22\.16 or later, and this is [\d.]+\n$/),
  });
});

test('the usage pages speak of npx', async () => {
  const pages = await Promise.all(
    [['--help'], ['start', '--help'], ['admin', '--help'], ['runs', '--help']].map((args) => run(args)),
  );
  for (const { code, stdout } of pages) {
    expect(code).toBe(0);
    expect(stdout).toContain('npx run-service');
    expect(stdout).not.toContain('npm ');
  }
});

test('it starts, answers a query and administers, and writes nothing outside its data folder', async () => {
  const before = filesIn(user);
  child = spawn(process.execPath, [program, 'start', '--port', '0'], {
    cwd: user,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const file = join(user, '.local/local.json');
  await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
  const { workspace_id, pid } = JSON.parse(readFileSync(file, 'utf8'));
  expect(pid).toBe(child.pid);
  const { stdout } = await run(['runs', 'create', '-q', 'companies in Berlin', '--watch', '--local']);
  expect(stdout).toContain('Found: 4 companies.');
  expect(JSON.parse((await run(['admin', 'workspace', 'show', workspace_id])).stdout)).toMatchObject({
    workspace_id,
  });
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  const { version } = JSON.parse(readFileSync(resolve('package.json'), 'utf8'));
  expect(JSON.parse(readFileSync(join(user, '.local/release.json'), 'utf8'))).toEqual({ version });
  const data = join(user, '.local');
  expect(filesIn(user).filter((path) => !path.startsWith(data))).toEqual(before);
});

test('it asks a model of another endpoint with the key from MODEL_API_KEY, and needs only the price of that model', async () => {
  const provider = await openAiServer();
  const prices = join(home, 'prices.json');
  writeFileSync(prices, '{"test":{"input":1,"cached_input":1,"output":1}}');
  const data = join(home, 'asking');
  const args = ['start', '--port', '0', '--data-dir', data, '--model', provider.spec, '--prices', prices];
  const asking = spawn(process.execPath, [program, ...args], {
    cwd: user,
    env: { ...process.env, MODEL_API_KEY: 'key-of-the-environment' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(asking.stderr);
  const exited = once(asking, 'exit');
  try {
    await expect
      .poll(() => [...provider.keys], { timeout: 60_000 })
      .toEqual(['Bearer key-of-the-environment']);
    await expect.poll(() => existsSync(join(data, 'local.json')), { timeout: 60_000 }).toBe(true);
  } finally {
    asking.kill('SIGTERM');
    await exited;
    await provider.close();
  }
  expect(await said).not.toContain('has no price');
});

test('nothing in it, nor what it unpacks, names a folder of this machine or has a source map', () => {
  const files = [join(user, 'node_modules'), join(user, '.local/cdk.out')].flatMap(filesIn);
  const code = files.filter((path) => !path.includes('compile-cache') && !path.endsWith('.br'));
  const foreign = code.filter((path) => {
    const content = readFileSync(path, 'utf8');
    return (
      content.includes(resolve('.')) || /sourceMappingURL=(?!data)/.test(content) || /\.(ts|map)$/.test(path)
    );
  });
  expect(foreign).toEqual([]);
  expect(code.length).toBeGreaterThan(100);
});

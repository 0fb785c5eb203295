// The tools of tests and checks, which `npm ci` leaves out: when they are installed, and what is left of a bad end.
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installTools } from '../../bin/tools/install-tools.ts';
import { isPosix } from '../support/platform.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tools-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, content: object) => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), JSON.stringify(content));
};

const service = { 'node_modules/zod': { version: '4.0.0' } };
const tools = { 'node_modules/vitest': { version: '5.0.0' } };
const elsewhere = { 'node_modules/@biomejs/cli-darwin': { version: '2.0.0', optional: true } };

const lockFile = (packages: object) => write('package-lock.json', { packages: { '': {}, ...packages } });
const installed = (packages: object) => write('node_modules/.package-lock.json', { packages });

/** What is said, and how often npm installs, which it does at once. */
function run(npmInstall = () => installed({ ...service, ...tools })) {
  const said: string[] = [];
  const npm = vi.fn(npmInstall);
  installTools({ root, npmInstall: npm, say: (line) => said.push(line) });
  return { said, installs: npm.mock.calls.length };
}

test('what is missing is installed, and says so in one line; then nothing is done and nothing said', () => {
  lockFile({ ...service, ...tools, ...elsewhere });
  installed(service);
  expect(run()).toEqual({ said: [expect.stringMatching(/^Installing the tools .* MB/)], installs: 1 });
  expect(run()).toEqual({ said: [], installs: 0 });
});

test.each([
  ['a tool in another version', { ...service, 'node_modules/vitest': { version: '4.9.0' } }],
  ['no record of what is installed', undefined],
])('%s is installed again', (_, there) => {
  lockFile({ ...service, ...tools });
  mkdirSync(join(root, 'node_modules'));
  if (there) installed(there);
  expect(run().installs).toBe(1);
});

test('half a package, which an installation left that was cut off, is gone before npm looks', () => {
  lockFile({ ...service, ...tools, ...elsewhere });
  installed(service);
  const whole = 'node_modules/zod/package.json';
  const halves = ['node_modules/vitest/package.json', 'node_modules/@biomejs/cli-darwin/package.json'];
  for (const file of [whole, ...halves]) write(file, {});
  const found: string[] = [];
  run(() => {
    found.push(...[whole, ...halves].filter((file) => existsSync(join(root, file))));
  });
  expect(found).toEqual([whole]);
});

test('two commands at once install the tools once', async () => {
  lockFile({ ...service, ...tools });
  installed(service);
  const start = (name: string) =>
    promisify(execFile)(process.execPath, [resolve('test/local/fixture/install-tools.ts'), root, name]);
  const isThere = (name: string) => expect.poll(() => existsSync(join(root, name))).toBe(true);
  const first = start('first');
  await isThere('installed by');
  const second = start('second');
  await isThere('second has begun');
  writeFileSync(join(root, 'may end'), '');
  await Promise.all([first, second]);
  expect(readFileSync(join(root, 'installed by'), 'utf8')).toBe('first\n');
});

test.skipIf(!isPosix)('without its registry, npm run tools is one line more and exit code 2', () => {
  lockFile({ ...service, ...tools });
  installed(service);
  cpSync('bin/tools.ts', join(root, 'bin/tools.ts'));
  cpSync('bin/tools', join(root, 'bin/tools'), { recursive: true });
  writeFileSync(join(root, 'npm'), '#!/bin/sh\necho "npm $*"\nexit 1\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${root}${delimiter}${process.env.PATH}` };
  const ended = spawnSync(process.execPath, [join(root, 'bin/tools.ts')], { env, encoding: 'utf8' });
  expect(ended).toMatchObject({ status: 2, stdout: '' });
  expect(ended.stderr.trimEnd().split('\n')).toEqual([
    expect.stringContaining('Installing the tools'),
    expect.stringMatching(/^npm install --include=dev --no-save /),
    expect.stringMatching(/^The tools of tests and checks are not installed .* registry/),
  ]);
});

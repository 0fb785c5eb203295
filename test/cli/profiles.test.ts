// Keys: in a file that only the owner can read, typed without echo, never in arguments, help or errors.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profilesFile } from '../../clients/cli/connection/profiles.ts';
import { isPosix } from '../support/platform.ts';
import { onScreen } from './screen.ts';
import { emptyEnv, folder, runs } from './terminal.ts';

const KEY = 'sk_0000000000004000800000000000002_0123456789abcdef';
const me = {
  ...{ object: 'key', key_id: 'key_1', name: 'Mine', scopes: ['runs:read'], expires_at: null },
  ...{
    daily_cost_limit_usd: null,
    cost_today_usd: 0,
    model: { name: 'offline', simulated: true, available: true },
  },
  workspace: {
    ...{ id: '00000000-0000-4000-8000-000000000002', name: 'Acme', tier: 'pro', features: [] },
    ...{ max_concurrent_runs: 25, runs_in_flight: 1, daily_cost_cap_usd: 100, cost_today_usd: 2 },
    ...{ credits_left: 10, credits_held: 0 },
  },
};
/** A service that knows one key, and remembers who asked. */
const asked: string[] = [];
const server = createServer((request, response) => {
  const authorization = request.headers.authorization ?? '';
  asked.push(authorization);
  const known = authorization === `Bearer ${KEY}`;
  const error = {
    code: 'auth_invalid',
    type: 'authentication',
    message: 'No',
    doc_url: 'http://d.example',
    request_id: 'r',
  };
  response
    .writeHead(known ? 200 : 401, { 'content-type': 'application/json' })
    .end(JSON.stringify(known ? me : { error }));
});
let baseUrl = '';
const file = profilesFile(emptyEnv);

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  baseUrl = `http://127.0.0.1:${address.port}/api/v1`;
});
afterAll(() => void server.close());

test('login stores a piped key in a file only its owner can read; whoami uses it; logout deletes it', async () => {
  const done = await runs(['login', '--base-url', baseUrl], { stdin: `${KEY}\n` });
  expect(done).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('logged in to Acme as profile default'),
  });
  expect(done.err).not.toContain(KEY);
  if (isPosix)
    expect([file, dirname(file)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  expect(await runs(['whoami'])).toMatchObject({ code: 0, out: expect.stringContaining('Acme') });
  expect(JSON.parse((await runs(['whoami', '--json'])).out)).toEqual(me);
  expect(asked.at(-1)).toBe(`Bearer ${KEY}`);
  expect(await runs(['logout'])).toMatchObject({ code: 0 });
  expect(await runs(['whoami'])).toMatchObject({ code: 4 });
  expect(await runs(['logout'])).toMatchObject({ code: 5 });
});

test('a key that the service refuses is neither stored nor shown', async () => {
  const done = await runs(['login', '--base-url', baseUrl, '--profile', 'wrong'], {
    stdin: 'sk_wrong_wrong\n',
  });
  expect(done).toMatchObject({ code: 4, err: expect.not.stringContaining('sk_wrong') });
  expect(await runs(['login', '--base-url', baseUrl])).toMatchObject({
    code: 4,
    err: expect.stringContaining('no key was given'),
  });
  expect(await runs(['whoami', '--profile', 'wrong'])).toMatchObject({ code: 4 });
});

test.runIf(isPosix)('profiles by name; a file that was opened to others is closed again', async () => {
  await runs(['login', '--base-url', baseUrl, '--profile', 'one'], { stdin: KEY });
  await runs(['login', '--base-url', baseUrl, '--profile', 'two'], { stdin: KEY });
  chmodSync(file, 0o644);
  expect(await runs(['whoami', '--profile', 'two'])).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await runs(['whoami'], { env: { RUNS_PROFILE: 'one' } })).toMatchObject({ code: 0 });
  expect(await runs(['whoami', '--profile', 'three'])).toMatchObject({
    code: 4,
    err: expect.stringContaining('there is one, two'),
  });
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(['one', 'two']);
});

test('a key on the command line is refused and not repeated', async () => {
  for (const args of [
    ['login', KEY],
    ['login', '--api-key', KEY],
    ['list', `--key=${KEY}`],
    ['get', 'x', KEY],
  ]) {
    const { code, out, err } = await runs(args);
    expect(code).toBe(2);
    expect(out + err).not.toContain(KEY);
  }
});

test('a key typed at the prompt is not echoed, and is not an argument of the process', async () => {
  const env = { ...emptyEnv, RUNS_BASE_URL: baseUrl };
  let typed = false;
  const screen = onScreen(['login', '--profile', 'typed'], {
    columns: 80,
    env,
    changed({ lines, type }) {
      if (typed || !lines().join('\n').includes('API key:')) return;
      typed = true;
      type(`${KEY}\r`);
    },
  });
  expect(await screen.ended).toBe(0);
  expect(screen.raw()).not.toContain(KEY.slice(3, 20));
  expect(screen.raw()).toContain('as profile typed');
});

test('Ctrl-C at the prompt stores nothing and exits 130', async () => {
  let typed = false;
  const screen = onScreen(['login', '--profile', 'interrupted'], {
    columns: 80,
    env: { ...emptyEnv, RUNS_BASE_URL: baseUrl },
    changed({ lines, type }) {
      if (typed || !lines().join('\n').includes('API key:')) return;
      typed = true;
      type('\u0003');
    },
  });
  expect(await screen.ended).toBe(130);
  expect(readFileSync(file, 'utf8')).not.toContain('interrupted');
});

test.runIf(process.platform === 'linux')('a process that uses a key does not expose it to `ps`', async () => {
  const child = spawn(
    process.execPath,
    [resolve('clients/cli/runs.ts'), 'login', '--base-url', baseUrl, '--profile', 'ps'],
    {
      env: { PATH: process.env.PATH, ...emptyEnv },
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  child.stdin.write(KEY);
  expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain(KEY);
  child.stdin.end();
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

test('--local takes address and key from a running service; DIR is optional; a dead service is away', async () => {
  const data = join(folder, 'work', '.local');
  const cwd = dirname(data);
  const write = (pid: number, more: object) => {
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'local.json'), JSON.stringify({ base_url: baseUrl, pid, ...more }));
  };
  write(process.pid, { api_key: KEY });
  expect(await runs(['whoami', '--local'], { cwd })).toMatchObject({ code: 0 });
  expect(await runs(['whoami', '--local', data])).toMatchObject({ code: 0 });
  expect(await runs(['whoami', '--local', '.local', '--json'], { cwd })).toMatchObject({ code: 0 });
  // The word behind it is an argument here, no folder.
  expect(await runs(['get', '--local', '17d861b3-8b26-4944-81c3-3df53b76ff64'], { cwd })).not.toMatchObject({
    code: 2,
  });
  write(process.pid, {});
  expect(await runs(['whoami', '--local'], { cwd })).toMatchObject({
    code: 4,
    err: expect.stringContaining('no demo key'),
  });
  const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(dead, 'exit');
  write(dead.pid ?? 0, { api_key: KEY });
  expect(await runs(['whoami', '--local'], { cwd })).toMatchObject({ code: 8 });
});

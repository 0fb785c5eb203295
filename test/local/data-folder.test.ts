// The data folder: one holder at a time, nothing for other users, and no foreign folder emptied.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { diskProblem, openDataFolder } from '../../lib/local/cli/data-folder.ts';
import { takeLock } from '../../lib/local/cli/folder-lock.ts';
import { openSecretFile } from '../../lib/local/files/secret-file.ts';
import { isPosix } from '../support/platform.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'folder-'));
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a folder that a living service holds is refused', () => {
  const path = newFolder();
  const held = openDataFolder(path, false);
  expect(() => openDataFolder(path, false)).toThrow(`pid ${process.pid}`);
  held.release();
  openDataFolder(path, false).release();
});

test.each([undefined, 2 ** 30])(
  'a lock whose owner is not a process of this machine (pid %s) is blamed on the location',
  (pid) => {
    const path = newFolder();
    const lock = new DatabaseSync(join(path, 'service.lock'));
    lock.exec('BEGIN EXCLUSIVE');
    if (pid !== undefined) writeFileSync(join(path, 'service.pid'), String(pid));
    expect(() => takeLock(path, 0)).toThrow(
      /by a service on another machine, or its file system has no locks/,
    );
    lock.close();
    openDataFolder(path, false).release();
  },
);

test('of many starts after a killed owner exactly one gets the folder', async () => {
  const path = newFolder();
  const program = fileURLToPath(new URL('./fixture/hold-folder.ts', import.meta.url));
  const join = async (): Promise<ChildProcess> => {
    const child = fork(program, [path], { execArgv: [] });
    await once(child, 'message');
    return child;
  };
  const starters = await Promise.all(Array.from({ length: 4 }, join));
  for (let round = 0; round < 8; round += 1) {
    const answers = starters.map(async (child) => {
      const [answer] = await once(child, 'message');
      return answer;
    });
    for (const child of starters) child.send('take');
    const taken = await Promise.all(answers);
    expect(taken.toSorted()).toEqual(['held', 'refused', 'refused', 'refused']);
    const [holder] = starters.splice(taken.indexOf('held'), 1);
    const exited = holder && once(holder, 'exit');
    holder?.kill('SIGKILL');
    await exited;
    starters.push(await join());
  }
  for (const child of starters) child.kill();
});

test('the lock of an earlier version does not count', () => {
  const path = newFolder();
  writeFileSync(join(path, 'service.pid'), JSON.stringify({ pid: process.pid, started: 'another moment' }));
  openDataFolder(path, false).release();
});

test.runIf(isPosix)('a planted link is never followed by what is written (rules.md: local 7)', () => {
  const path = newFolder();
  const foreign = join(newFolder(), 'foreign');
  writeFileSync(foreign, 'foreign', { mode: 0o644 });
  const held = openDataFolder(path, false);
  const written = ['local.json', 'aws.json', 'demo.json', 'own.json'];
  for (const name of written) symlinkSync(foreign, join(path, `${name}.new`));
  for (const name of written.slice(0, 3)) held.write(name, { api_key: 'secret' });
  openSecretFile(join(path, 'own.json'))('key', () => 'secret');
  for (const name of written) {
    expect([lstatSync(join(path, name)).isFile(), modeOf(join(path, name))]).toEqual([true, 0o600]);
    expect(existsSync(join(path, `${name}.new`))).toBe(false);
  }
  expect([readFileSync(foreign, 'utf8'), modeOf(foreign)]).toEqual(['foreign', 0o644]);
  held.release();
});

test
  .runIf(isPosix)
  .each([
    'service.lock',
    'service.pid',
    'local.json',
    'local.json.new',
    'aws.json.new',
    'tables.db',
    'objects',
    'logs',
    'logs/Start.log',
  ])('a data folder with the link %s is refused in one line (rules.md: local 7)', (name) => {
  const path = newFolder();
  const foreign = join(newFolder(), 'foreign');
  writeFileSync(foreign, 'foreign');
  mkdirSync(join(path, name, '..'), { recursive: true });
  symlinkSync(foreign, join(path, name));
  const wrong = new RegExp(`^[^\\n]*${name}[^\\n]* is a link: remove it[^\\n]*$`);
  for (const reset of [false, true]) {
    if (reset) writeFileSync(join(path, 'dynamodb.db'), '');
    expect(() => openDataFolder(path, reset)).toThrow(wrong);
  }
  expect(readFileSync(foreign, 'utf8')).toBe('foreign');
});

test('a stale local.json is removed at the start', () => {
  const path = newFolder();
  writeFileSync(join(path, 'local.json'), '{}');
  openDataFolder(path, false).release();
  expect(existsSync(join(path, 'local.json'))).toBe(false);
});

test.runIf(isPosix)('what an earlier start left open to others is closed to them', () => {
  const path = newFolder();
  mkdirSync(join(path, 'objects'));
  writeFileSync(join(path, 'queues.db'), '');
  for (const name of ['.', 'objects', 'queues.db']) chmodSync(join(path, name), 0o755);
  openDataFolder(path, false).release();
  expect(['.', 'objects', 'logs', 'queues.db'].map((name) => modeOf(join(path, name)))).toEqual([
    0o700,
    0o700,
    expect.any(Number),
    0o600,
  ]);
});

test.runIf(isPosix)('a new folder is its owner’s alone, also under a loose umask', () => {
  const path = join(newFolder(), 'deep', 'data');
  const umask = process.umask(0);
  try {
    openDataFolder(path, false).release();
  } finally {
    process.umask(umask);
  }
  expect([modeOf(path), modeOf(join(path, '..'))]).toEqual([0o700, 0o700]);
});

test.runIf(isPosix)('the permissions of a folder shared by all users are unchanged', () => {
  const path = newFolder();
  chmodSync(path, 0o1777);
  openDataFolder(path, false).release();
  expect(modeOf(path)).toBe(0o777);
});

test('reset empties a folder that a service has used', () => {
  const path = newFolder();
  openDataFolder(path, false).release();
  mkdirSync(join(path, 'old', 'deep'), { recursive: true });
  writeFileSync(join(path, 'old.json'), '{}');
  openDataFolder(path, true).release();
  expect(readdirSync(path).toSorted()).toEqual(['logs', 'service.lock', 'service.pid']);
});

test.each([
  ['a project', ['package.json', 'service.lock']],
  ['a folder of something else', ['thesis.doc']],
])('reset refuses %s and leaves it as it was', (_, names) => {
  const path = newFolder();
  for (const name of names) writeFileSync(join(path, name), 'precious');
  chmodSync(path, 0o755);
  expect(() => openDataFolder(path, true)).toThrow(/^--reset would empty [^\n]+$/);
  expect(readdirSync(path)).toEqual(names);
  for (const name of names) expect(readFileSync(join(path, name), 'utf8')).toBe('precious');
  if (isPosix) expect(modeOf(path)).toBe(0o755);
});

test('a folder that cannot be made is refused in one line', () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  expect(() => openDataFolder(join(file, 'x'), false)).toThrow(/^[^\n]+ cannot be used \([^\n]+ --data-dir$/);
});

test.runIf(process.platform === 'linux')('nor is a folder made where a file system refuses folders', () => {
  expect(() => openDataFolder('/proc/x', false)).toThrow('cannot be used');
});

test.each([
  [{ code: 'ENOSPC' }, /ENOSPC/],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, /the disk is full/],
])('an error of the disk (%j) at any moment of the start is told in one line', (facts, told) => {
  const error = Object.assign(new Error(`${facts.code}: no space left`), facts);
  expect(diskProblem('/data', error)?.message).toMatch(told);
  expect(diskProblem('/data', error)?.message).toMatch(/^[^\n]+$/);
});

test('an error not from the disk is unchanged', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(diskProblem('/data', refused)).toBeUndefined();
});

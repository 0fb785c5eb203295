// The program of the repository: built again when one of its sources has changed, and only then (rules.md: local 2).
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeProgram } from '../../bin/program/made-program.ts';

const HANDLER = 'functions/api/create-run.ts';
const MADE = ['run-service.mjs', 'assembly.br'];

/** A project, and a program of it that counts how often it is built. */
function project() {
  const root = mkdtempSync(join(tmpdir(), 'project-'));
  const folder = join(root, 'dist/local');
  const write = (name: string, content: string) => {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), content);
  };
  for (const name of ['package-lock.json', HANDLER, 'lib/app.ts', 'clients/sdk/index.ts']) write(name, 'old');
  let times = 0;
  const build = async (fresh: string) => {
    times += 1;
    for (const name of MADE) writeFileSync(join(fresh, name), `made ${times}`);
  };
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  return {
    root,
    folder,
    said,
    write,
    /** How often it had to be built for this start: 0 or 1. */
    async start(changed: object = {}): Promise<number> {
      const before = times;
      await madeProgram({ root, folder, build, say, ...changed });
      return times - before;
    },
  };
}

test('a start that builds says so first, and one that does not is silent', async () => {
  const { start, said } = project();
  await start();
  await start();
  expect(said).toEqual(['Bundling the functions (once, about 10 s) …']);
});

test('a start on unchanged sources takes the program of the start before', async () => {
  const { start } = project();
  expect([await start(), await start()]).toEqual([1, 0]);
});

test.each([
  ['edited', HANDLER, 'new'],
  ['edited to the same size', HANDLER, 'odd'],
  ['added', 'functions/api/another.ts', 'new'],
  ['edited in a client that is bundled', 'clients/sdk/index.ts', 'new'],
  ['edited in a command of the program', 'bin/admin/import.ts', 'new'],
  ['changed in the lock file', 'package-lock.json', 'new'],
  ['installed otherwise', 'node_modules/.package-lock.json', 'new'],
])('what was %s is in the program of the next start, once', async (_, name, content) => {
  const { write, start } = project();
  await start();
  write(name, content);
  expect([await start(), await start()]).toEqual([1, 0]);
});

test.each(['clients/sdk/node_modules/compiler/index.js', 'clients/sdk/dist/index.js'])(
  'what was installed or built of a client is no source: %s',
  async (name) => {
    const { write, start } = project();
    await start();
    write(name, 'large');
    expect(await start()).toBe(0);
  },
);

test('what was removed is not in the program of the next start', async () => {
  const { root, start } = project();
  await start();
  rmSync(join(root, 'lib/app.ts'));
  expect(await start()).toBe(1);
});

test('a build that was cut short leaves the program before, which is not taken for the new one', async () => {
  const { folder, write, start } = project();
  await start();
  write(HANDLER, 'new');
  const cutShort = async (fresh: string) => {
    writeFileSync(join(fresh, 'run-service.mjs'), 'half');
    throw new Error('killed');
  };
  await expect(start({ build: cutShort })).rejects.toThrow('killed');
  expect(readFileSync(join(folder, 'run-service.mjs'), 'utf8')).toBe('made 1');
  expect(await start()).toBe(1);
});

test.each(MADE)('a program whose file %s was emptied by a power cut is built again', async (name) => {
  const { folder, start } = project();
  await start();
  writeFileSync(join(folder, name), '');
  expect(await start()).toBe(1);
});

test('of two builds at once one is taken, and nothing else is left', async () => {
  const { root, start } = project();
  await Promise.all([start(), start()]);
  expect(await start()).toBe(0);
  expect(existsSync(join(root, 'dist/local'))).toBe(true);
});

// The cloud assembly of the data folder: rebuilt when one of its inputs has changed, and only then.
// (rules.md: local 2).
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cachedAssembly } from '../../lib/local/cli/cached-assembly.ts';

const HANDLER = 'functions/api/create-run.ts';
const MADE = ['RunService.template.json', 'bundle/index.mjs'];

/** A project, and an assembly of it that counts how often it is made. */
function project() {
  const root = mkdtempSync(join(tmpdir(), 'project-'));
  const outdir = join(root, 'cdk.out');
  const write = (name: string, content: string) => {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), content);
  };
  for (const name of ['package-lock.json', HANDLER, 'lib/app.ts', 'clients/sdk/index.ts']) write(name, 'old');
  const settings = { outdir, root, context: { model: 'offline' }, allowLocalCallbacks: false };
  let times = 0;
  const make = async () => {
    times += 1;
    rmSync(outdir, { recursive: true, force: true });
    for (const name of MADE) write(join('cdk.out', name), 'made');
  };
  return {
    root,
    outdir,
    write,
    /** How often it had to be made for this start: 0 or 1. */
    async start(changed: object = {}): Promise<number> {
      const before = times;
      await cachedAssembly({ ...settings, make, ...changed });
      return times - before;
    },
  };
}

test('a start on unchanged sources takes the assembly of the start before, and its compile caches', async () => {
  const { outdir, write, start } = project();
  expect(await start()).toBe(1);
  write('cdk.out/bundle/compile-cache/v24/code', 'compiled');
  expect(await start()).toBe(0);
  expect(existsSync(join(outdir, 'bundle/compile-cache/v24/code'))).toBe(true);
});

test.each([
  ['edited', HANDLER, 'new'],
  ['edited to the same size', HANDLER, 'odd'],
  ['added', 'functions/api/another.ts', 'new'],
  ['edited in a client that is bundled', 'clients/sdk/index.ts', 'new'],
  ['changed in the lock file', 'package-lock.json', 'new'],
  ['installed otherwise', 'node_modules/.package-lock.json', 'new'],
])('what was %s is in the assembly of the next start, once', async (_, name, content) => {
  const { write, start } = project();
  await start();
  write(name, content);
  expect([await start(), await start()]).toEqual([1, 0]);
});

test('packages that a client installed are known by the lock files, not read', async () => {
  const { write, start } = project();
  await start();
  write('clients/sdk/node_modules/compiler/index.js', 'large');
  expect(await start()).toBe(0);
});

test('what was removed is not in the assembly of the next start', async () => {
  const { root, start } = project();
  await start();
  rmSync(join(root, 'lib/app.ts'));
  expect(await start()).toBe(1);
});

test('other settings and another address policy make another assembly', async () => {
  const { start } = project();
  await start();
  const prices = { m: { input: 1, cached_input: 1, output: 1 } };
  expect(await start({ context: { model: 'offline', prices } })).toBe(1);
  expect(await start({ allowLocalCallbacks: true })).toBe(1);
});

test('an assembly whose making was cut short is never taken for whole', async () => {
  const { write, start } = project();
  await start();
  write(HANDLER, 'new');
  const cutShort = async () => {
    throw new Error('killed');
  };
  await expect(start({ make: cutShort })).rejects.toThrow('killed');
  write(HANDLER, 'old');
  expect(await start()).toBe(1);
});

test.each(MADE)('an assembly whose file %s was emptied by a power cut is made again', async (name) => {
  const { write, start } = project();
  await start();
  write(join('cdk.out', name), '');
  expect(await start()).toBe(1);
});

test('a full disk is reported in one line and nothing is made', async () => {
  const { start } = project();
  await expect(start({ roomBytes: Number.MAX_SAFE_INTEGER })).rejects.toThrow(
    /^the disk is full: [^\n]+ MB$/,
  );
  expect(await start()).toBe(1);
});

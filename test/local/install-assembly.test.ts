// The functions in the data folder are the program's, unpacked once for each of its builds (rules.md: local 2).
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASSEMBLY, installAssembly } from '../../lib/local/cli/install-assembly.ts';
import { archiveOf } from '../../lib/local/files/archive.ts';

const TEMPLATE = 'RunService.template.json';
const BUNDLE = 'asset.1/index.mjs';

/** A program, and the folder of its assembly in a data folder. */
function program() {
  const home = mkdtempSync(join(tmpdir(), 'program ä-'));
  const sources = join(home, 'synth');
  const to = join(home, 'data/cdk.out');
  mkdirSync(join(home, 'data'));
  mkdirSync(join(sources, 'asset.1'), { recursive: true });
  writeFileSync(join(sources, BUNDLE), 'code “ä”');
  /** Has the program another template. */
  const build = (template: string) => {
    writeFileSync(join(sources, TEMPLATE), template);
    writeFileSync(join(home, ASSEMBLY), archiveOf(sources));
  };
  build('{}');
  return { home, to, build, read: (name: string) => readFileSync(join(to, name), 'utf8') };
}

test('a start takes what the start before has unpacked, with what was compiled of it', () => {
  const { home, to, read } = program();
  installAssembly(home, to);
  mkdirSync(join(to, 'asset.1/compile-cache'));
  writeFileSync(join(to, 'asset.1/compile-cache/code'), 'compiled');
  installAssembly(home, to);
  expect([read(BUNDLE), read('asset.1/compile-cache/code')]).toEqual(['code “ä”', 'compiled']);
});

test('the start of another release replaces it, with what was compiled of it', () => {
  const { home, to, build, read } = program();
  installAssembly(home, to);
  writeFileSync(join(to, 'asset.1/stale'), '');
  build('{"Resources":{}}');
  installAssembly(home, to);
  expect(read(TEMPLATE)).toBe('{"Resources":{}}');
  expect(existsSync(join(to, 'asset.1/stale'))).toBe(false);
});

test.each([TEMPLATE, BUNDLE])(
  'an assembly whose file %s was emptied by a power cut is unpacked again',
  (name) => {
    const { home, to, read } = program();
    installAssembly(home, to);
    writeFileSync(join(to, name), '');
    installAssembly(home, to);
    expect(read(name)).not.toBe('');
  },
);

test('a full disk is reported in one line and nothing is written', () => {
  const { home, to } = program();
  expect(() => installAssembly(home, to, Number.MAX_SAFE_INTEGER)).toThrow(/^the disk is full: [^\n]+ MB$/);
  expect(existsSync(to)).toBe(false);
});

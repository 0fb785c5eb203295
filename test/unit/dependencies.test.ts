// What `npm ci` brings: the dependencies, without those of tests and checks. It must do for every other command.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import console from '../../clients/console/package.json' with { type: 'json' };
import project from '../../package.json' with { type: 'json' };
import { filesBy } from '../support/files.ts';

const brought = new Set(Object.keys({ ...project.dependencies, ...console.dependencies }));

/** Imports as esbuild prints them: each on a line, without types. */
const LOADED = /^(?:import|export) (?:[^"`;]* from )?"(@?\w[^"]*)"|\bimport\("(@?\w[^"]*)"\)/gm;

/** The packages that a file loads. */
async function packagesOf(file: string): Promise<string[]> {
  const { code } = await transform(readFileSync(file, 'utf8'), { loader: file.endsWith('x') ? 'tsx' : 'ts' });
  return [...code.matchAll(LOADED)]
    .map(([, fixed, later]) => fixed ?? later ?? '')
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
    .filter((name) => !isBuiltin(name));
}

test.each(['bin', 'functions', 'lib', 'clients'])(
  '%s loads no package that only tests have',
  async (folder) => {
    const files = filesBy(`${folder}/**/*.{ts,tsx}`);
    const loaded = await Promise.all(
      files.map(async (file) => (await packagesOf(file)).map((name) => ({ file, name }))),
    );
    expect(loaded.flat()).not.toEqual([]);
    expect(loaded.flat().filter(({ name }) => !brought.has(name))).toEqual([]);
  },
);

test('a command that needs the tools of tests and checks installs them first', () => {
  const needing = Object.entries(project.scripts).filter(([, command]) =>
    /\b(?:vitest|biome|static\.ts|test\/\S+\.ts|run-service-client)\b/.test(command),
  );
  expect(needing.length).toBeGreaterThan(10);
  const others = needing.filter(
    ([, command]) => !/^(?:node bin\/tools\.ts|npm run static) && /.test(command),
  );
  expect(others).toEqual([]);
});

// Builds the package of the local service: its program, the program of the functions' threads, and their assembly.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { ASSEMBLY } from '../../lib/local/cli/install-assembly.ts';
import { synthesize } from './synth.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const forNode = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'error',
  outExtension: { '.js': '.mjs' },
} as const satisfies BuildOptions;

/** Bundled CommonJS dependencies expect a `require`. */
const BANNER = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

/** Writes the package to `folder`, which must exist. */
export async function buildProgram(folder: string): Promise<void> {
  await Promise.all([
    synthesize(folder),
    build({
      ...forNode,
      entryPoints: { 'run-service': 'bin/run-service.ts' },
      outdir: folder,
      splitting: true,
      chunkNames: '[name]-[hash]',
      banner: { js: BANNER },
      mainFields: ['module', 'main'],
      conditions: ['module', 'import'],
    }),
    build({
      ...forNode,
      entryPoints: { worker: 'lib/local/lambda/host/worker-main.ts' },
      outdir: folder,
    }),
    // Old enough that an old Node can say what it lacks.
    build({
      ...forNode,
      target: 'node14',
      entryPoints: { cli: 'bin/program/cli.ts' },
      outdir: folder,
      banner: { js: '#!/usr/bin/env node' },
    }),
  ]);
  copyFileSync(join(root, 'bin/program/package.md'), join(folder, 'README.md'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

function manifest() {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    name: 'run-service',
    version,
    description: 'Asynchronous run service that runs whole on one machine. No dependencies.',
    license,
    type: 'module',
    engines: { node: '>=22.16' },
    bin: { 'run-service': 'cli.mjs' },
    files: ['*.mjs', ASSEMBLY],
  };
}

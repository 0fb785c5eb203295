// Makes the packages that others install: `npm run pack -- [--scope @acme]`, into dist/packages.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readPackArguments, WrongPack } from './pack/arguments.ts';
import { pack } from './pack/pack.ts';

const folder = join(import.meta.dirname, '../dist/packages');
const MB = 1e6;

/** Of a file, or of all files below a folder. */
function bytesOf(path: string): number {
  const status = statSync(path);
  if (!status.isDirectory()) return status.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

try {
  const names = await pack(readPackArguments(process.argv.slice(2)), folder);
  for (const name of names) {
    process.stdout.write(`dist/packages/${name}  ${(bytesOf(join(folder, name)) / MB).toFixed(2)} MB\n`);
  }
} catch (error) {
  if (!(error instanceof WrongPack)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

// Makes the packages that others install: `npm run pack -- [--scope @acme]`, into dist/packages.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readPackArguments, WrongPack } from './pack/arguments.ts';
import { pack } from './pack/pack.ts';

const folder = join(import.meta.dirname, '../dist/packages');
const MB = 1e6;

try {
  const names = await pack(readPackArguments(process.argv.slice(2)), folder);
  for (const name of names) {
    const size = statSync(join(folder, name)).size / MB;
    process.stdout.write(`dist/packages/${name}  ${size.toFixed(2)} MB\n`);
  }
} catch (error) {
  if (!(error instanceof WrongPack)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

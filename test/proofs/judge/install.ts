// `npm run prove -- judge:install`: what `npm ci` brings, in a copy of the manifests in an empty folder. Prints JSON.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MANIFESTS = [
  ...['package.json', 'package-lock.json', '.npmrc', 'bin/after-install.ts'],
  'clients/*/package.json',
];
const AT_MOST_MB = 500;
const BLOCK_BYTES = 512;

/** What a folder takes on the disk, as `du -m` counts it: a file with two names once. */
function megabytesIn(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const blocks = new Map<number, number>();
  for (const path of paths) {
    const file = lstatSync(join(folder, path));
    blocks.set(file.ino, file.blocks);
  }
  return Math.ceil(([...blocks.values()].reduce((sum, count) => sum + count, 0) * BLOCK_BYTES) / 2 ** 20);
}

const folder = mkdtempSync(join(tmpdir(), 'judge-install-'));
const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
try {
  for (const file of globSync(MANIFESTS)) cpSync(file, join(folder, file));
  const begun = Date.now();
  npm('ci', '--no-audit', '--no-fund');
  const seconds = Math.round((Date.now() - begun) / 1000);
  // Throws where a package is missing or in a version that another one refuses.
  npm('ls', '--all');
  const mb = megabytesIn(folder);
  const verdict = mb <= AT_MOST_MB ? 'no finding' : 'see above';
  process.stdout.write(`${JSON.stringify({ mb, at_most_mb: AT_MOST_MB, seconds, verdict })}\n`);
  process.exitCode = verdict === 'no finding' ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// The tools of tests, checks and campaigns: the packages of the lock file that `npm ci` leaves out (.npmrc).
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

interface Options {
  /** The project's folder. */
  root: string;
  /** Installs every package of the lock file that is missing. Throws where it cannot. */
  npmInstall: () => void;
  /** Says why it takes a while. */
  say: (line: string) => void;
}

/** The fields of npm's lock files that are read. */
interface LockFile {
  packages: Readonly<Record<string, { version?: string; optional?: boolean }>>;
}

/** How long another process may take for the same. */
const PATIENCE_MS = 10 * 60_000;

/** Installs the tools, unless those of the lock file are there. Two processes at once install them once. */
export function installTools({ root, npmInstall, say }: Options): void {
  if (isWhole(root)) return;
  const lock = new DatabaseSync(join(root, 'node_modules/.installing'), { timeout: PATIENCE_MS });
  try {
    // A lock of the operating system: it ends with its process. Nothing is written, so no journal is needed.
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
    if (isWhole(root)) return;
    say('Installing the tools of tests and checks (once, about 400 MB) …');
    // npm takes what is there for whole; an installation that was cut off leaves halves.
    for (const { path } of differencesIn(root)) rmSync(join(root, path), { recursive: true, force: true });
    npmInstall();
  } finally {
    lock.close();
  }
}

/** npm leaves out what is optional and of another machine. */
const isWhole = (root: string) => differencesIn(root).every(({ optional }) => optional);

/** The packages of the lock file that are not installed, or in another version. */
function differencesIn(root: string) {
  const installed = packagesIn(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(packagesIn(join(root, 'package-lock.json')))
    .filter(([path, { version }]) => path.includes('node_modules/') && installed[path]?.version !== version)
    .map(([path, { optional = false }]) => ({ path, optional }));
}

/** npm writes the second file when it is done; during an installation it may be half of one. */
function packagesIn(file: string): LockFile['packages'] {
  try {
    const { packages }: LockFile = JSON.parse(readFileSync(file, 'utf8'));
    return packages;
  } catch {
    return {};
  }
}

// The data folder: access, lock, reset, and the files by which other programs find the service.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { replaceFile } from '../files/replace-file.ts';
import { locationProblem } from '../files/sqlite-file.ts';
import { messageOf } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import { lockFiles, takeLock } from './folder-lock.ts';

/** A folder locked by this process until `release`. */
export interface DataFolder {
  path: string;
  /** Replaces a JSON file atomically. */
  write(name: string, value: object): void;
  remove(name: string): void;
  release(): void;
}

const LOGS = 'logs';
/** What every start leaves behind, on any engine and in any version. */
const MARKS = [...lockFiles, 'dynamodb.db'];
/** Signs of a folder that must never be emptied. */
const PRECIOUS = ['package.json', '.git'];
const STICKY_BIT = 0o1000;
const DISK_CODES = new Set(['EACCES', 'EDQUOT', 'EIO', 'ENOENT', 'ENOSPC', 'EPERM', 'EROFS']);

/**
 * Locks the folder, removes other users' access (rules.md: local 7) and deletes a stale `local.json`. With `reset`
 * deletes its content first. Throws SetupError when it cannot be written, is locked by a running service, has links, or
 * is not a data folder that may be emptied.
 */
export function openDataFolder(folder: string, reset: boolean): DataFolder {
  const path = resolve(folder);
  try {
    makeFolder(path);
    if (reset && !mayBeEmptied(path))
      throw new SetupError(`--reset would empty ${path}, which is not a data folder`);
    // Before the lock, which is a file, too, and again when no other user can plant one.
    refuseLinks(path);
    const release = takeLock(path);
    try {
      if (reset) empty(path);
      closeToOthers(path);
      refuseLinks(path);
      mkdirSync(join(path, LOGS), { recursive: true });
      rmSync(join(path, 'local.json'), { force: true });
    } catch (error) {
      release();
      throw error;
    }
    return { path, ...filesOf(path), release };
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw unusable(path, messageOf(error));
  }
}

/** The error for a failing disk; undefined for any other error. */
export function diskProblem(path: string, error: unknown): SetupError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const problem = locationProblem(error) ?? (DISK_CODES.has(code) ? messageOf(error) : undefined);
  return problem === undefined ? undefined : unusable(path, problem);
}

function unusable(path: string, problem: string): SetupError {
  return new SetupError(`the data folder ${path} cannot be used (${problem}): pass another --data-dir`);
}

function filesOf(path: string): Pick<DataFolder, 'write' | 'remove'> {
  return {
    write: (name, value) => replaceFile(join(path, name), `${JSON.stringify(value, null, 2)}\n`),
    remove: (name) => rmSync(join(path, name), { force: true }),
  };
}

/** Throws SetupError for a link where the service writes: it would write elsewhere. */
function refuseLinks(path: string): void {
  for (const folder of [path, join(path, LOGS)]) {
    const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
    const link = entries.find((entry) => entry.isSymbolicLink());
    if (link) throw unusable(path, `${join(folder, link.name)} is a link: remove it`);
  }
}

/** Creates a folder and its parents. Node's recursive option hangs where a file system refuses folders (/proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** An empty folder, or one used by an earlier start. */
function mayBeEmptied(path: string): boolean {
  if (path === dirname(path) || path === homedir()) return false;
  const names = readdirSync(path);
  if (names.some((name) => PRECIOUS.includes(name))) return false;
  return names.length === 0 || names.some((name) => MARKS.includes(name));
}

function empty(path: string): void {
  for (const name of readdirSync(path))
    if (!lockFiles.some((file) => file === name)) rmSync(join(path, name), { recursive: true, force: true });
}

/** Removes other users' access to the folder and its content; a shared folder such as /tmp is not changed. */
function closeToOthers(path: string): void {
  const { uid, mode } = statSync(path);
  if (uid !== process.getuid?.() || (mode & STICKY_BIT) !== 0) return;
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) chmodSync(join(path, entry.name), 0o700);
    else if (entry.isFile()) chmodSync(join(path, entry.name), 0o600);
  }
}

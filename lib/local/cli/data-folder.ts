// The data folder: its lock, its reset, and the files in which other programs find the service.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isObject, messageOf } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';

/** A folder that this process holds until `release`. */
export interface DataFolder {
  path: string;
  /** Writes a JSON file in one step: readers see the old one or the whole new one. */
  write(name: string, value: object, mode?: number): void;
  remove(name: string): void;
  release(): void;
}

const LOCK = 'service.pid';
const DYING_MS = 2_000;

/**
 * Takes the folder for this process and removes a stale `local.json`. With `reset` its content is deleted first.
 * Throws SetupError when it cannot be written, is locked by a running service, or is clearly not a data folder that may be emptied.
 */
export async function openDataFolder(folder: string, reset: boolean): Promise<DataFolder> {
  const path = resolve(folder);
  try {
    makeFolder(path);
    await takeLock(path);
    if (reset) empty(path);
    mkdirSync(join(path, 'logs'), { recursive: true });
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`the data folder ${path} cannot be used: ${messageOf(error)}`);
  }
  const remove = (name: string) => rmSync(join(path, name), { force: true });
  const write = (name: string, value: object, mode = 0o644) => {
    writeFileSync(join(path, `${name}.new`), `${JSON.stringify(value, null, 2)}\n`, { mode });
    renameSync(join(path, `${name}.new`), join(path, name));
  };
  remove('local.json');
  return { path, write, remove, release: () => remove(LOCK) };
}

/** Makes a folder and its parents. Node's recursive option never returns where a file system refuses folders (/proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path);
}

function empty(path: string): void {
  const precious =
    path === resolve('/') ||
    path === homedir() ||
    ['package.json', '.git'].some((name) => existsSync(join(path, name)));
  if (precious) throw new SetupError(`--reset would empty ${path}, which is not a data folder`);
  for (const name of readdirSync(path))
    if (name !== LOCK) rmSync(join(path, name), { recursive: true, force: true });
}

async function takeLock(path: string): Promise<void> {
  const file = join(path, LOCK);
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) });
  for (;;) {
    try {
      writeFileSync(file, mine, { flag: 'wx' });
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = readHolder(file);
    if (holder && !(await hasEnded(holder))) {
      throw new SetupError(`the data folder ${path} is in use by the service with pid ${holder.pid}`);
    }
    rmSync(file, { force: true });
  }
}

interface Holder {
  pid: number;
  started: string | null;
}

function readHolder(file: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(value) || typeof value.pid !== 'number') return undefined;
    return { pid: value.pid, started: typeof value.started === 'string' ? value.started : null };
  } catch {
    return undefined;
  }
}

/** True when the holder has ended; one that was just killed gets a moment to end. */
async function hasEnded(holder: Holder): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < DYING_MS; waitedMs += 50) {
    if (!isAlive(holder)) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  // Process ids are reused, so the start time must match too.
  return started === startOf(pid);
}

/** When a process started, in kernel ticks; `null` for a zombie and on systems without /proc. */
function startOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

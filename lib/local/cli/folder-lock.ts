// The lock of the data folder: an exclusive lock of SQLite on a file in it, which ends with its process, however that
// ends.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isHeld, placeProblem } from '../files/sqlite-file.ts';
import { SetupError } from '../setup-error.ts';

/** The files of the lock: the locked one, and one that tells people who holds it. */
export const lockFiles = ['service.lock', 'service.pid'] as const;
const [LOCK, HOLDER] = lockFiles;

/** A holder that was just killed gets this long to end. */
const DYING_MS = 1_000;

/** Takes the lock and returns what releases it. Throws SetupError when another holder keeps it for `waitMs`. */
export function takeLock(folder: string, waitMs: number = DYING_MS): () => void {
  let database: DatabaseSync | undefined;
  try {
    const lock = new DatabaseSync(join(folder, LOCK), { timeout: waitMs });
    database = lock;
    // Nothing is ever written, so there is nothing to keep a journal for.
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
    writeFileSync(join(folder, HOLDER), String(process.pid));
    return () => {
      if (lock.isOpen) lock.close();
    };
  } catch (error) {
    database?.close();
    if (isHeld(error)) throw new SetupError(`the data folder ${folder} ${whoHolds(folder)}`);
    const place = placeProblem(error);
    if (place !== undefined) throw new SetupError(`the data folder ${folder} cannot be used: ${place}`);
    throw error;
  }
}

function whoHolds(folder: string): string {
  const pid = holder(folder);
  if (pid !== undefined && isAlive(pid)) return `is in use by the service with pid ${pid}`;
  return 'is in use by a service on another machine, or its file system has no locks: pass another --data-dir';
}

function holder(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, HOLDER), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It lives, but is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

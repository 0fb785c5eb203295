// The lock of the data folder: an exclusive SQLite lock on a file in it, which ends with its process.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isLocked, locationProblem } from '../files/sqlite-file.ts';
import { SetupError } from '../setup-error.ts';

/** The files of the lock: the locked one, and one that names the owner. */
export const lockFiles = ['service.lock', 'service.pid'] as const;
const [LOCK, HOLDER] = lockFiles;

/** Time for an owner that was just killed to end, and for one of several starts at once to pass the others. */
const PATIENCE_MS = 1_000;

/**
 * Acquires the lock; returns its release. Throws SetupError when another process still has it after `waitMs`. With no
 * wait at all, starts at the same moment may refuse each other: each holds SQLite's shared lock on its way.
 */
export function takeLock(folder: string, waitMs: number = PATIENCE_MS): () => void {
  let database: DatabaseSync | undefined;
  try {
    const lock = new DatabaseSync(join(folder, LOCK), { timeout: waitMs });
    database = lock;
    // Nothing is written, so no journal is needed.
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
    writeFileSync(join(folder, HOLDER), String(process.pid));
    return () => {
      if (lock.isOpen) lock.close();
    };
  } catch (error) {
    database?.close();
    if (isLocked(error)) throw new SetupError(`the data folder ${folder} ${lockOwner(folder)}`);
    const problem = locationProblem(error);
    if (problem !== undefined) throw new SetupError(`the data folder ${folder} cannot be used: ${problem}`);
    throw error;
  }
}

function lockOwner(folder: string): string {
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
    // It runs, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

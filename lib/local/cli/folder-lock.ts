// The lock of the data folder: an exclusive lock of SQLite on a file in it, which ends with its process, however that ends.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';

/** The files of the lock: the locked one, and one that tells people who holds it. */
export const lockFiles = ['service.lock', 'service.pid'] as const;
const [LOCK, HOLDER] = lockFiles;

/** A holder that was just killed gets this long to end. */
const DYING_MS = 1_000;

/** Takes the lock and returns what releases it. Throws SetupError when another holder keeps it for `waitMs`. */
export function takeLock(folder: string, waitMs: number = DYING_MS): () => void {
  const database = new DatabaseSync(join(folder, LOCK), { timeout: waitMs });
  try {
    // Nothing is ever written, so there is nothing to keep a journal for.
    database.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
    writeFileSync(join(folder, HOLDER), String(process.pid));
  } catch (error) {
    database.close();
    if (!messageOf(error).includes('database is locked')) throw error;
    throw new SetupError(`the data folder ${folder} is in use by the service with pid ${holder(folder)}`);
  }
  return () => {
    if (database.isOpen) database.close();
  };
}

function holder(folder: string): string {
  try {
    return readFileSync(join(folder, HOLDER), 'utf8');
  } catch {
    return 'unknown';
  }
}

// The SQLite files of the local services.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';

const LOCAL_DISK = 'use a folder on a disk of this machine';
/** What SQLite's result codes say about a file's location, and what to do about it. */
const problems: Readonly<Record<number, string>> = {
  3: 'it may not be written',
  5: 'another process holds it',
  8: 'it may not be written',
  10: `the disk fails, or its file system lacks locks or shared memory, as those of networks do: ${LOCAL_DISK}`,
  13: 'the disk is full: make room, then start again',
  14: 'it cannot be opened or made',
  15: `its file system lacks locks, as those of networks do: ${LOCAL_DISK}`,
};
/** The primary result codes; an error's code has more detail. */
const PRIMARY_CODE = 0xff;
const BUSY = 5;
const FULL = 13;
const NO_ROOM_FOR_SHARED_MEMORY = 4874;
const LOOK_FOR_ROOM_MS = 1000;

/** Why SQLite cannot use a file, if the cause is not the file itself. */
export function locationProblem(error: unknown): string | undefined {
  return problems[primaryCode(error)];
}

/** Whether another process has the lock. File systems without working locks report the same. */
export function isLocked(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

/**
 * The result of a write that no caller would repeat: while the disk is full it is tried again. Undefined when it is not
 * wanted any more.
 */
export async function onceThereIsRoom<T>(write: () => T, isWanted: () => boolean): Promise<T | undefined> {
  while (isWanted()) {
    try {
      return write();
    } catch (error) {
      if (primaryCode(error) !== FULL && codeOf(error) !== NO_ROOM_FOR_SHARED_MEMORY) throw error;
    }
    await pause(LOOK_FOR_ROOM_MS, undefined, { ref: false });
  }
  return undefined;
}

const primaryCode = (error: unknown) => codeOf(error) & PRIMARY_CODE;

function codeOf(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code : 0;
}

/**
 * Opens a file whose acknowledged writes survive a crash of the process, and creates its tables. Throws SetupError when
 * it is damaged or its location is unusable.
 */
export function openSqliteFile(file: string, schema: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`);
    const found = database.prepare('PRAGMA quick_check(1)').get();
    if (found?.quick_check !== 'ok') throw new Error(String(found?.quick_check));
    return database;
  } catch (error) {
    database?.close();
    throw unusable(error, file);
  }
}

/** The one-line error for a file that cannot be opened, and what to do. */
export function unusable(error: unknown, file: string): SetupError {
  if (error instanceof SetupError) return error;
  const location = locationProblem(error);
  if (location !== undefined) return new SetupError(`${file} cannot be used: ${location}`);
  const problem = messageOf(error).replace(/\s+/g, ' ');
  return new SetupError(`${file} is damaged (${problem}): restore it, or start with --reset`);
}

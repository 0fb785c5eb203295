// Transactions on the files of an index.
import type { DatabaseSync } from 'node:sqlite';
import { isLevel } from './files.ts';

/** How long, in ms, a reader waits for the instant of a commit to pass, a look every millisecond. */
const LEVEL_WAIT_MS = 200;
const sleeper = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Files of an index that do not have the same changes. */
export class NotLevel extends Error {
  constructor() {
    super('the files of the index are not level');
    this.name = 'NotLevel';
  }
}

/** Does work that writes: all of it or nothing, in each file. The core is written first. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  return between(database, 'BEGIN IMMEDIATE', work);
}

/** Does work that reads one state of the files, whatever other processes write. Throws NotLevel. */
export function snapshot<T>(database: DatabaseSync, work: () => T): T {
  for (let waited = 0; ; waited += 1) {
    const done = between(database, 'BEGIN', () => (isLevel(database) ? { result: work() } : undefined));
    if (done) return done.result;
    if (waited === LEVEL_WAIT_MS) throw new NotLevel();
    Atomics.wait(sleeper, 0, 0, 1);
  }
}

function between<T>(database: DatabaseSync, begin: string, work: () => T): T {
  database.exec(begin);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk rolls back the transaction by itself.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

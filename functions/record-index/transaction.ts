// Transactions on the files of an index.
import type { DatabaseSync } from 'node:sqlite';
import { attachedTo, schemaOf } from './files.ts';
import { IndexBusy } from './index-errors.ts';
import { statementOn } from './prepared-statements.ts';

/**
 * Whether all attached files have the same changes. They may not for the instant of a commit, after a process died in
 * that instant, and when a file has come from the snapshot: then the next update that moves the cursor levels them.
 */
function isLevel(database: DatabaseSync): boolean {
  const revision = (schema: string) => `(SELECT value FROM ${schema}.meta WHERE key = 'revision')`;
  const tests = attachedTo(database).map((name) => `${revision(schemaOf(name))} IS ${revision('main')}`);
  if (tests.length === 0) return true;
  return statementOn(database, `SELECT ${tests.join(' AND ')} AS level`).get()?.level === 1;
}

/** How long, in ms, a reader waits for the instant of a commit to pass, a look every millisecond. */
const LEVEL_WAIT_MS = 200;
const sleeper = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Does work that writes: all of it or nothing, in each file. The core is written first. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  return between(database, 'BEGIN IMMEDIATE', work);
}

/** Does work that reads one state of the files, whatever other processes write. Throws IndexBusy. */
export function snapshot<T>(database: DatabaseSync, work: () => T): T {
  for (let waited = 0; ; waited += 1) {
    const done = between(database, 'BEGIN', () => (isLevel(database) ? { result: work() } : undefined));
    if (done) return done.result;
    if (waited === LEVEL_WAIT_MS) throw new IndexBusy('the files of the index are not level');
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

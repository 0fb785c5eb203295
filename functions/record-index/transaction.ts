// Transactions on an index file.
import type { DatabaseSync } from 'node:sqlite';

/** Does work that writes: all of it or nothing. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  return between(database, 'BEGIN IMMEDIATE', work);
}

/** Does work that reads one state of the file, whatever other processes write. */
export function snapshot<T>(database: DatabaseSync, work: () => T): T {
  return between(database, 'BEGIN', work);
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

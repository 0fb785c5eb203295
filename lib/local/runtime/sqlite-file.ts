// The SQLite files of the local services.
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';

/** Opens a file whose acknowledged writes survive a crash of the process, and makes its tables. Throws SetupError when it is damaged. */
export function openSqliteFile(file: string, schema: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`);
    const found = database.prepare('PRAGMA quick_check(1)').get();
    if (found?.quick_check !== 'ok') throw new Error(String(found?.quick_check));
    return database;
  } catch (error) {
    const problem = messageOf(error).replace(/\s+/g, ' ');
    throw new SetupError(`${file} is damaged (${problem}): restore it, or start with --reset`);
  }
}

// The SQLite of this runtime: on AWS it comes with Lambda's Node.
import { DatabaseSync } from 'node:sqlite';

/** Its version, and the options that it was compiled with. */
export function sqliteEngine(): { sqlite_version: string; compile_options: string[] } {
  const database = new DatabaseSync(':memory:');
  try {
    const version = database.prepare('SELECT sqlite_version() AS version').get()?.version;
    const options = database.prepare('PRAGMA compile_options').all();
    return {
      sqlite_version: String(version),
      compile_options: options.map(({ compile_options }) => String(compile_options)),
    };
  } finally {
    database.close();
  }
}

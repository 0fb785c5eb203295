// Opening a copy of an index that no other connection has.
import { DatabaseSync } from 'node:sqlite';

/** Opens a file for work that starts over after a crash. What is deleted becomes zeros. */
export function openAlone(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON');
  return database;
}

// Finds the ids that a file has twice. They are kept on disk, because a file may have millions of them.
import { DatabaseSync } from 'node:sqlite';

export interface SeenIds {
  /** Notes the id of a line; returns the earlier line that has it, too. */
  add(id: string, line: number): number | undefined;
  close(): void;
}

/** Ids are compared without case. */
export function seenIds(): SeenIds {
  // A database without a name lies in a temporary file of its own.
  const database = new DatabaseSync('');
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    CREATE TABLE seen (id BLOB PRIMARY KEY, line INTEGER) WITHOUT ROWID; BEGIN`);
  const insert = database.prepare('INSERT OR IGNORE INTO seen VALUES (?, ?)');
  const find = database.prepare('SELECT line FROM seen WHERE id = ?');
  return {
    add(id, line) {
      const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
      return insert.run(bytes, line).changes > 0 ? undefined : Number(find.get(bytes)?.line);
    },
    close: () => database.close(),
  };
}

// A number for each of many texts: on disk, because a file may have millions of lines.
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

const UPSERT = 'INSERT INTO kept VALUES (?, ?) ON CONFLICT DO UPDATE SET number =';

/** An empty one. */
export function numbersOnDisk() {
  // A database without a name is a temporary file.
  const database = new DatabaseSync('');
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    CREATE TABLE kept (text BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID; BEGIN`);
  const first = database.prepare(`${UPSERT} number RETURNING number`);
  const last = database.prepare(`${UPSERT} excluded.number RETURNING number`);
  const count = database.prepare(`${UPSERT} number + 1 RETURNING number`);
  const find = database.prepare('SELECT number FROM kept WHERE text = ?');
  const keyOf = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16);
  const numberIn = (row: Record<string, unknown> | undefined) => Number(row?.number);
  return {
    /** Keeps the number of a text that has none; the number that it has. */
    of: (text: string, number: number): number => numberIn(first.get(keyOf(text), number)),
    /** Keeps the number in place of an earlier one. */
    replace: (text: string, number: number): number => numberIn(last.get(keyOf(text), number)),
    /** How often it has counted the text, this time included. */
    count: (text: string): number => numberIn(count.get(keyOf(text), 1)),
    /** The number that is kept; NaN for none. */
    find: (text: string): number => numberIn(find.get(keyOf(text))),
    close: () => database.close(),
  };
}

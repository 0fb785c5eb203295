// The parts of a snapshot that an index was restored from: its other files, in pieces, and blocks of bodies.
import type { DatabaseSync } from 'node:sqlite';
import { type FileName, hasFile } from './files.ts';
import { statementOn } from './prepared-statements.ts';

/** In `meta`: where the objects of the snapshot are. */
const RESTORED_FROM = 'restored_from';

/** One object of a snapshot: a piece of a file, or a block of bodies. */
export interface ObjectName {
  part: FileName | 'core' | 'bodies';
  number: number;
}

/** Objects of one part, and where they are. */
export interface PartObjects {
  where: string;
  objects: { number: number; sum: string }[];
}

/** Where the objects are that the index may lack; undefined for one that no snapshot was restored to. */
export function restoredFrom(database: DatabaseSync): string | undefined {
  const where = statementOn(database, 'SELECT value FROM meta WHERE key = ?').get(RESTORED_FROM)?.value;
  return where === undefined ? undefined : String(where);
}

/** Records in a copy of a core that these objects, each with the digest of its bytes, are at `where`. */
export function addObjects(
  database: DatabaseSync,
  where: string,
  objects: (ObjectName & { sum: string })[],
): void {
  database.prepare('INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)').run(RESTORED_FROM, where);
  database.exec('DELETE FROM objects');
  const insert = database.prepare('INSERT INTO objects(part, number, sum) VALUES (?, ?, ?)');
  for (const { part, number, sum } of objects) insert.run(part, number, sum);
}

/** The objects of a file that a restored index lacks, by number, or those of bodies; undefined if it lacks none. */
export function absentObjects(database: DatabaseSync, part: FileName | 'bodies'): PartObjects | undefined {
  const where = restoredFrom(database);
  if (where === undefined || (part !== 'bodies' && hasFile(database, part))) return undefined;
  const objects = database
    .prepare('SELECT number, sum FROM objects WHERE part = ? ORDER BY number')
    .all(part)
    .map(({ number, sum }) => ({ number: Number(number), sum: String(sum) }));
  return { where, objects };
}

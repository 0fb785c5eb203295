// What a restored index lacks of its snapshot: objects that an operation asks for when it first needs them.
import type { DatabaseSync } from 'node:sqlite';
import type { ApartName } from './pages.ts';
import { statementOn } from './statements.ts';

/** In `meta`: where the objects of the snapshot are. */
const RESTORED_FROM = 'restored_from';

/** One object of a snapshot. */
export interface ObjectName {
  /** Its part: pages of some tables, or bodies. */
  part: string;
  number: number;
}

/** The file lacks objects that the operation needs: add these, and try again. */
export class ObjectsAbsent extends Error {
  readonly database: DatabaseSync;
  readonly where: string;
  readonly names: ObjectName[];
  constructor(database: DatabaseSync, where: string, names: ObjectName[]) {
    super(`${names.length} objects of the snapshot are absent`);
    this.name = 'ObjectsAbsent';
    this.database = database;
    this.where = where;
    this.names = names;
  }
}

/** Where the objects are that the file may lack; undefined for a file that no snapshot was restored to. */
export function restoredFrom(database: DatabaseSync): string | undefined {
  const where = database.prepare('SELECT value FROM meta WHERE key = ?').get(RESTORED_FROM)?.value;
  return where === undefined ? undefined : String(where);
}

/** Records in a copy of an index that these objects, each with the digest of its bytes, are at `where`. */
export function noteAbsent(
  database: DatabaseSync,
  where: string,
  objects: (ObjectName & { sum: string })[],
): void {
  database.prepare('INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)').run(RESTORED_FROM, where);
  const insert = database.prepare('INSERT INTO absent(part, number, sum) VALUES (?, ?, ?)');
  for (const { part, number, sum } of objects) insert.run(part, number, sum);
}

/** Throws ObjectsAbsent for the absent ones that an SQL condition selects. */
export function requireObjects(
  database: DatabaseSync,
  condition: string,
  ...values: (string | number)[]
): void {
  const names = statementOn(database, `SELECT part, number FROM absent WHERE ${condition}`)
    .all(...values)
    .map(({ part, number }) => ({ part: String(part), number: Number(number) }));
  if (names.length > 0) throw new ObjectsAbsent(database, restoredFrom(database) ?? '', names);
}

/** Throws ObjectsAbsent unless the file has the pages of these parts. */
export function requireParts(database: DatabaseSync, ...parts: ApartName[]): void {
  requireObjects(database, `part IN (${parts.map(() => '?').join(', ')})`, ...parts);
}

/** Throws ObjectsAbsent unless the file has everything. */
export function requireAll(database: DatabaseSync): void {
  requireObjects(database, '1');
}

/** Whether the file lacks anything. */
export function lacksAny(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM absent LIMIT 1').get() !== undefined;
}

/** Whether the file lacks pages of a part. */
export function lacks(database: DatabaseSync, part: ApartName): boolean {
  return statementOn(database, 'SELECT 1 FROM absent WHERE part = ? LIMIT 1').get(part) !== undefined;
}

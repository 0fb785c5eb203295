// Vectors apart from the rest: a restored index is without them until a question compares vectors. What changes until
// then waits.
import type { DatabaseSync } from 'node:sqlite';
import { quantize } from '#platform/quantize.ts';
import { openAlone } from './open-alone.ts';
import { VECTOR_TABLES } from './schema.ts';
import { transaction } from './transaction.ts';
import { type VectorWriter, vectorWriter } from './vectors.ts';

/** In `meta`: where the vectors are that the file lacks. */
const ABSENT = 'vectors_at';
const names = ['vectors', 'type_numbers', 'vector_of'];

/** Moves the rows of the tables of vectors between a file and one that is attached. */
function moveRows(database: DatabaseSync, from: string, to: string): void {
  for (const name of names) database.exec(`INSERT INTO ${to}.${name} SELECT * FROM ${from}.${name}`);
}

function attach(database: DatabaseSync, path: string): void {
  database.prepare('ATTACH ? AS separate').run(path);
}

/**
 * Moves the vectors of a copy of an index to a new file at `target`, and records in the copy that they are at `where`;
 * false if it has none. The pages that they leave are zeros: nearly nothing once compressed, and room to return to.
 */
export function separateVectors(path: string, target: string, where: string): boolean {
  const database = openAlone(path);
  try {
    if (!database.prepare('SELECT 1 FROM vectors LIMIT 1').get()) return false;
    const separate = openAlone(target);
    separate.exec(VECTOR_TABLES);
    separate.close();
    attach(database, target);
    moveRows(database, 'main', 'separate');
    for (const name of names) database.exec(`DELETE FROM main.${name}`);
    database.prepare('INSERT INTO meta(key, value) VALUES (?, ?)').run(ABSENT, where);
    return true;
  } finally {
    database.close();
  }
}

/** Where the vectors are that the file lacks; undefined if it has them. */
export function absentVectors(database: DatabaseSync): string | undefined {
  const where = database.prepare('SELECT value FROM meta WHERE key = ?').get(ABSENT)?.value;
  return where === undefined ? undefined : String(where);
}

/** Adds the vectors that a file lacks, then what has changed since; nothing if those it lacks are not at `where`. */
export function addVectors(database: DatabaseSync, { path, where }: { path: string; where: string }): void {
  attach(database, path);
  try {
    transaction(database, () => {
      if (absentVectors(database) !== where) return;
      moveRows(database, 'separate', 'main');
      database.prepare('DELETE FROM meta WHERE key = ?').run(ABSENT);
      addWaiting(database);
    });
  } finally {
    database.exec('DETACH separate');
  }
}

function addWaiting(database: DatabaseSync): void {
  const writer = vectorWriter(database);
  const waiting = database.prepare('SELECT rid, type, vector FROM waiting_vectors');
  for (const { rid, type, vector } of waiting.iterate())
    if (vector instanceof Uint8Array)
      writer.put(Number(rid), new Int8Array(vector.buffer, vector.byteOffset, vector.length), String(type));
    else writer.remove(Number(rid));
  writer.flush();
  database.exec('DELETE FROM waiting_vectors');
}

/** Writes vectors to their chunks, or to where they wait for these. */
export function presentOrWaiting(database: DatabaseSync): VectorWriter {
  return absentVectors(database) === undefined ? vectorWriter(database) : waitingWriter(database);
}

function waitingWriter(database: DatabaseSync): VectorWriter {
  const write = database.prepare(
    'INSERT OR REPLACE INTO waiting_vectors(rid, type, vector) VALUES (?, ?, ?)',
  );
  return {
    put(rid, vector, type) {
      const bytes = vector && vector.length > 0 ? new Uint8Array(quantize(vector).buffer) : null;
      write.run(rid, type, bytes);
    },
    remove: (rid) => void write.run(rid, null, null),
    flush: () => undefined,
  };
}

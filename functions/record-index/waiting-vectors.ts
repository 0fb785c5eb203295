// A restored index is without its vectors until a question compares some. What changes until then waits.
import type { DatabaseSync } from 'node:sqlite';
import { quantize } from '#platform/quantize.ts';
import { lacks } from './absent.ts';
import { type VectorWriter, vectorWriter } from './vectors.ts';

/** Adds what has changed since to vectors that have come. */
export function addWaitingVectors(database: DatabaseSync): void {
  const writer = vectorWriter(database);
  const waiting = database.prepare('SELECT rid, type, vector, vector_of FROM waiting_vectors');
  for (const { rid, type, vector, vector_of } of waiting.iterate())
    if (vector instanceof Uint8Array) {
      const components = new Int8Array(vector.buffer, vector.byteOffset, vector.length);
      writer.put(Number(rid), { components, vector_of: textOf(vector_of) }, String(type));
    } else writer.remove(Number(rid));
  writer.flush();
  database.exec('DELETE FROM waiting_vectors');
}

/** Writes vectors to their chunks, or to where they wait for these. */
export function presentOrWaitingVectors(database: DatabaseSync): VectorWriter {
  return lacks(database, 'vectors') ? waitingWriter(database) : vectorWriter(database);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function waitingWriter(database: DatabaseSync): VectorWriter {
  const write = database.prepare(
    'INSERT OR REPLACE INTO waiting_vectors(rid, type, vector, vector_of) VALUES (?, ?, ?, ?)',
  );
  return {
    put(rid, vector, type) {
      const { components = [], vector_of = null } = vector ?? {};
      const bytes = components.length > 0 ? new Uint8Array(quantize(components).buffer) : null;
      write.run(rid, type, bytes, vector_of);
    },
    remove: (rid) => void write.run(rid, null, null, null),
    flush: () => undefined,
  };
}

// The objects of a snapshot, as a copy of an index is packed into them, and a restored index gets them one by one.
import { createHash } from 'node:crypto';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { lacks, noteAbsent, type ObjectName, restoredFrom } from './absent.ts';
import { addBodies, BODIES, takeBodies } from './bodies.ts';
import { openAlone } from './open-alone.ts';
import { apartPages, corePages, UNPACKED_CHUNK_BYTES, writePages } from './pages.ts';
import { transaction } from './transaction.ts';
import { addWaitingRows, isWaitedFor } from './waiting-rows.ts';
import { addWaitingVectors } from './waiting-vectors.ts';

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url');

/** An object in a file of objects, one after the other. */
export interface PackedObject extends ObjectName {
  bytes: number;
  /** The digest of its bytes. */
  sum: string;
}

/** A packed index: the objects, and how large its file is. */
export interface Packed {
  objects: PackedObject[];
  file_bytes: number;
}

/**
 * Packs the index at `path`, which it changes, into objects in a new file at `target`. What the core says of the others
 * is that they are absent, and at `where`.
 */
export function packSnapshot(path: string, target: string, where: string): Packed {
  const database = openAlone(path);
  const output = openSync(target, 'w', 0o600);
  const objects: PackedObject[] = [];
  const pack = ({ part, number, bytes }: ObjectName & { bytes: Uint8Array }) => {
    const packed = zstdCompressSync(bytes);
    writeSync(output, packed);
    objects.push({ part, number, bytes: packed.length, sum: digest(packed) });
  };
  try {
    for (const bodies of takeBodies(database)) pack(bodies);
    for (const pages of apartPages(database, path)) pack(pages);
    noteAbsent(database, where, objects);
    for (const pages of corePages(database, path)) pack(pages);
    return { objects, file_bytes: statSync(path).size };
  } finally {
    closeSync(output);
    database.close();
  }
}

/** A packed object, and where it was. */
export interface FetchedObject extends ObjectName {
  packed: Uint8Array;
  where: string;
}

/**
 * Adds an object that the file lacks; nothing if its objects are not at `where`. Nothing of it has changed meanwhile: a
 * change needs the parts and bodies that it writes to, or waits for them. A death leaves the object absent, so that it
 * is added once more. Throws the error of a damaged file for a damaged object.
 */
export function addObject(database: DatabaseSync, { part, number, packed, where }: FetchedObject): void {
  transaction(database, () => {
    const absent = database.prepare('SELECT sum FROM absent WHERE part = ? AND number = ?').get(part, number);
    if (!absent || restoredFrom(database) !== where) return;
    if (absent.sum !== digest(packed)) throw new Error('malformed: an object of a snapshot is damaged');
    if (part === BODIES) addBodies(database, zstdDecompressSync(packed));
    else
      writePages(database.location() ?? '', zstdDecompressSync(packed, { chunkSize: UNPACKED_CHUNK_BYTES }));
    database.prepare('DELETE FROM absent WHERE part = ? AND number = ?').run(part, number);
    if (part === 'vectors' && !lacks(database, part)) addWaitingVectors(database);
    if (isWaitedFor(part) && !lacks(database, part)) addWaitingRows(database, part);
  });
}

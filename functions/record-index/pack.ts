// A snapshot: copies of the files of an index, packed into objects. Each file comes in pieces, bodies in blocks.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { fileNames, pathOf, schemaOf } from './files.ts';
import { takeBodies } from './record-bodies.ts';
import { addObjects, type ObjectName } from './snapshot-objects.ts';

/** The bytes of a file that one object has. */
export const PIECE_BYTES = 8 * 1024 * 1024;

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url');

/** An object in a file of objects, one after the other. */
export interface PackedObject extends ObjectName {
  bytes: number;
  /** The digest of its bytes. */
  sum: string;
}

/** New files for the copies that the objects are made of, and for the objects; and where these will be found. */
export interface Copies {
  path: string;
  target: string;
  where: string;
}

/**
 * Packs an index that has everything. The core is copied last, so that no other file is ahead of it, and says which
 * objects the others have.
 */
export function packSnapshot(database: DatabaseSync, { path, target, where }: Copies): PackedObject[] {
  const output = openSync(target, 'w', 0o600);
  const objects: PackedObject[] = [];
  const pack = (part: ObjectName['part'], number: number, bytes: Uint8Array) => {
    const packed = zstdCompressSync(bytes);
    writeSync(output, packed);
    objects.push({ part, number, bytes: packed.length, sum: digest(packed) });
  };
  const packFile = (part: ObjectName['part'], copy: string) => {
    let number = 0;
    for (const bytes of piecesOf(copy)) {
      pack(part, number, bytes);
      number += 1;
    }
  };
  try {
    for (const name of fileNames) {
      const copy = pathOf(path, name);
      database.prepare(`VACUUM ${schemaOf(name)} INTO ?`).run(copy);
      openAlone(copy).close();
      packFile(name, copy);
      rmSync(copy);
    }
    database.prepare('VACUUM main INTO ?').run(path);
    const core = openAlone(path);
    for (const { number, bytes } of takeBodies(core)) pack('bodies', number, bytes);
    addObjects(core, where, objects);
    core.close();
    packFile('core', path);
    return objects;
  } finally {
    closeSync(output);
    for (const copy of [path, ...fileNames.map((name) => pathOf(path, name))]) rmSync(copy, { force: true });
  }
}

/** Opens a copy that no other connection has. After its close it is one file, in the mode in which indexes are read. */
function openAlone(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  return database;
}

function* piecesOf(path: string): Generator<Buffer> {
  const source = openSync(path, 'r');
  try {
    const { size } = statSync(path);
    for (let at = 0; at < size; at += PIECE_BYTES) {
      const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - at));
      readSync(source, piece, 0, piece.length, at);
      yield piece;
    }
  } finally {
    closeSync(source);
  }
}

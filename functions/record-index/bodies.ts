// Bodies of records, which only hits and changes need. A snapshot has them in blocks of their own: a restored index
// gets a block when a question or a change first needs one of its bodies.
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { openAlone } from './open-alone.ts';
import { transaction } from './transaction.ts';

/** How many consecutive rids one block has. A hit costs a whole block, and a million records have 500 of them. */
const BLOCK_RIDS = 2048;
/** In `meta`: where the blocks are that the file lacks. */
const ABSENT = 'bodies_at';

/** The file lacks bodies that the operation needs: add these blocks, and try again. */
export class BodiesAbsent extends Error {
  readonly where: string;
  readonly blocks: number[];
  constructor(where: string, blocks: number[]) {
    super(`${blocks.length} blocks of bodies are absent`);
    this.name = 'BodiesAbsent';
    this.where = where;
    this.blocks = blocks;
  }
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url');

function absentBodies(database: DatabaseSync): string | undefined {
  const where = database.prepare('SELECT value FROM meta WHERE key = ?').get(ABSENT)?.value;
  return where === undefined ? undefined : String(where);
}

/** Throws BodiesAbsent unless the file has the bodies of these rids, which are only asked for if it lacks any. */
export function requireBodies(database: DatabaseSync, ridsOf: () => number[]): void {
  const where = absentBodies(database);
  if (where === undefined) return;
  const blocks = database
    .prepare(
      `SELECT block FROM absent_bodies WHERE block IN (SELECT value / ${BLOCK_RIDS} FROM json_each(?))`,
    )
    .all(JSON.stringify(ridsOf()))
    .map(({ block }) => Number(block));
  if (blocks.length > 0) throw new BodiesAbsent(where, blocks);
}

/** Throws BodiesAbsent unless the file has all bodies. */
export function requireAllBodies(database: DatabaseSync): void {
  const where = absentBodies(database);
  if (where === undefined) return;
  const blocks = database.prepare('SELECT block FROM absent_bodies').all();
  throw new BodiesAbsent(
    where,
    blocks.map(({ block }) => Number(block)),
  );
}

/** Reads the bodies of these rids. Throws BodiesAbsent. */
export function bodyReader(database: DatabaseSync, rids: number[]): (rid: number) => string {
  requireBodies(database, () => rids);
  const select = database.prepare('SELECT body FROM bodies WHERE rid = ?');
  return (rid) => {
    const row = select.get(rid);
    if (!row) throw new Error('malformed: a record has no body');
    return String(row.body);
  };
}

/** A packed block in a file of blocks, one after the other. */
export interface PackedBlock {
  block: number;
  bytes: number;
}

/** Moves the bodies of a copy of an index to a new file at `target`, and notes in the copy that they are at `where`. */
export function separateBodies(path: string, target: string, where: string): PackedBlock[] {
  const database = openAlone(path);
  const output = openSync(target, 'w', 0o600);
  try {
    const packed: PackedBlock[] = [];
    for (const { block, bodies } of blocksOf(database)) {
      const bytes = zstdCompressSync(bodies);
      writeSync(output, bytes);
      database.prepare('INSERT INTO absent_bodies(block, sum) VALUES (?, ?)').run(block, digest(bytes));
      packed.push({ block, bytes: bytes.length });
    }
    if (packed.length === 0) return packed;
    database.prepare('INSERT INTO meta(key, value) VALUES (?, ?)').run(ABSENT, where);
    // What is restored is as small as what it has.
    database.exec('DELETE FROM bodies; VACUUM');
    return packed;
  } finally {
    closeSync(output);
    database.close();
  }
}

/** The blocks that have bodies, each as JSON: pairs of a rid and its body. */
function* blocksOf(database: DatabaseSync): Generator<{ block: number; bodies: string }> {
  const last = Number(database.prepare('SELECT max(rid) AS last FROM bodies').get()?.last ?? -1);
  const select = database.prepare(
    'SELECT count(*) AS count, json_group_array(json_array(rid, body)) AS bodies FROM bodies WHERE rid >= ? AND rid < ?',
  );
  for (let block = 0; block * BLOCK_RIDS <= last; block += 1) {
    const row = select.get(block * BLOCK_RIDS, (block + 1) * BLOCK_RIDS);
    if (row && Number(row.count) > 0) yield { block, bodies: String(row.bodies) };
  }
}

/** A packed block, and where it was. */
export interface FetchedBlock {
  block: number;
  packed: Uint8Array;
  where: string;
}

/**
 * Adds a block that the file lacks; nothing if its blocks are not at `where`. None of its bodies has changed: a change
 * of a record needs the body that the record had. Throws the error of a damaged file for a damaged block.
 */
export function addBodies(database: DatabaseSync, { block, packed, where }: FetchedBlock): void {
  transaction(database, () => {
    const absent = database.prepare('SELECT sum FROM absent_bodies WHERE block = ?').get(block);
    if (!absent || absentBodies(database) !== where) return;
    if (absent.sum !== digest(packed)) throw new Error('malformed: a block of bodies is damaged');
    database
      .prepare('INSERT INTO bodies(rid, body) SELECT value ->> 0, value ->> 1 FROM json_each(?)')
      .run(zstdDecompressSync(packed).toString());
    database.prepare('DELETE FROM absent_bodies WHERE block = ?').run(block);
    database
      .prepare('DELETE FROM meta WHERE key = ? AND NOT EXISTS (SELECT 1 FROM absent_bodies)')
      .run(ABSENT);
  });
}

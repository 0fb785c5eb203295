// Bodies of records, which only hits and changes need. A snapshot has them in blocks of their own: a restored index
// gets a block when a question or a change first needs one of its bodies.
import type { DatabaseSync } from 'node:sqlite';
import { requireObjects } from './absent.ts';
import { statementOn } from './statements.ts';

/** The part of a snapshot with bodies: each object is a block. */
export const BODIES = 'bodies';
/** How many consecutive rids one block has. A hit costs a whole block, and a million records have 500 of them. */
const BLOCK_RIDS = 2048;

/** Throws ObjectsAbsent unless the file has the bodies of these rids. */
export function requireBodies(database: DatabaseSync, rids: number[]): void {
  const blocks = `SELECT value / ${BLOCK_RIDS} FROM json_each(?)`;
  requireObjects(database, `part = '${BODIES}' AND number IN (${blocks})`, JSON.stringify(rids));
}

/** Reads the bodies of these rids. Throws ObjectsAbsent. */
export function bodyReader(database: DatabaseSync, rids: number[]): (rid: number) => string {
  requireBodies(database, rids);
  const select = statementOn(database, 'SELECT body FROM bodies WHERE rid = ?');
  return (rid) => {
    const row = select.get(rid);
    if (!row) throw new Error('malformed: a record has no body');
    return String(row.body);
  };
}

interface Block {
  part: string;
  number: number;
  bytes: Buffer;
}

/** Takes the bodies out of a copy of an index and defragments it. Each block is JSON: pairs of a rid and its body. */
export function* takeBodies(database: DatabaseSync): Generator<Block> {
  const last = Number(database.prepare('SELECT max(rid) AS last FROM bodies').get()?.last ?? -1);
  const select = database.prepare(
    'SELECT count(*) AS count, json_group_array(json_array(rid, body)) AS bodies FROM bodies WHERE rid >= ? AND rid < ?',
  );
  for (let number = 0; number * BLOCK_RIDS <= last; number += 1) {
    const row = select.get(number * BLOCK_RIDS, (number + 1) * BLOCK_RIDS);
    if (row && Number(row.count) > 0) yield { part: BODIES, number, bytes: Buffer.from(String(row.bodies)) };
  }
  // What is restored is as small as what it has, and each of its tables is in consecutive pages.
  database.exec('DELETE FROM bodies; VACUUM');
}

/** Adds the bodies of a block. */
export function addBodies(database: DatabaseSync, block: Buffer): void {
  database
    .prepare('INSERT INTO bodies(rid, body) SELECT value ->> 0, value ->> 1 FROM json_each(?)')
    .run(block.toString());
}

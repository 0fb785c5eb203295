// Bodies of records, which only hits and changes need. A snapshot has them in blocks: the body of a record that has not
// changed since is read from its block, and then in the index, too.
import type { DatabaseSync } from 'node:sqlite';
import { statementOn } from './prepared-statements.ts';

/** How many consecutive rids one block has. A hit costs a whole block, and a million records have 500 of them. */
const BLOCK_RIDS = 2048;

/** The number of the block that has a record. */
export const blockOf = (rid: number) => Math.floor(rid / BLOCK_RIDS);

/** The body of a record as JSON; its rid when the body is still in a block of the snapshot. */
export function bodyOf(database: DatabaseSync, rid: number): string {
  const row = statementOn(database, 'SELECT body FROM bodies WHERE rid = ?').get(rid);
  return String(row?.body ?? rid);
}

/** The rid in place of a body; undefined for a body. */
export const ridIn = (body: string): number | undefined => (body.startsWith('{') ? undefined : Number(body));

/** The blocks with those of these records whose bodies the index lacks; `rids` is a select. */
export function absentBlocks(database: DatabaseSync, rids: string, ...values: (string | number)[]): number[] {
  return database
    .prepare(
      `SELECT DISTINCT rid / ${BLOCK_RIDS} AS block FROM (${rids}) WHERE rid NOT IN (SELECT rid FROM bodies)`,
    )
    .all(...values)
    .map(({ block }) => Number(block));
}

/** A block of bodies as JSON: pairs of a rid and its body. */
interface Block {
  number: number;
  bytes: Buffer;
}

/** The bodies of a block by their rids. */
export const bodiesIn = (block: string): Map<number, string> => new Map(JSON.parse(block));

/** Takes the bodies out of a copy of a core and defragments it. */
export function* takeBodies(database: DatabaseSync): Generator<Block> {
  const last = Number(database.prepare('SELECT max(rid) AS last FROM bodies').get()?.last ?? -1);
  const select = database.prepare(
    'SELECT count(*) AS count, json_group_array(json_array(rid, body)) AS bodies FROM bodies WHERE rid >= ? AND rid < ?',
  );
  for (let number = 0; number * BLOCK_RIDS <= last; number += 1) {
    const row = select.get(number * BLOCK_RIDS, (number + 1) * BLOCK_RIDS);
    if (row && Number(row.count) > 0) yield { number, bytes: Buffer.from(String(row.bodies)) };
  }
  database.exec('DELETE FROM bodies; VACUUM');
}

/** Adds the bodies of a block, but for those of records that have changed or gone since. */
export function addBlock(database: DatabaseSync, block: string): void {
  database
    .prepare(
      `INSERT OR IGNORE INTO bodies(rid, body) SELECT value ->> 0, value ->> 1 FROM json_each(?)
       WHERE value ->> 0 IN (SELECT rid FROM records)`,
    )
    .run(block);
}

// The fingerprint of all records and relationships: a number for each, which mixes id and update time; xor over all of
// them does not depend on their order.
import type { DatabaseSync } from 'node:sqlite';

const MASK = (1n << 128n) - 1n;
/** Odd constants without a pattern, which spread every bit of the other factor. */
const OF_ID = 0x9e3779b97f4a7c15f39cc0605cedc835n;
const OF_TIME = 0xc2b2ae3d27d4eb4f165667b19e3779f9n;

/** `id` is a UUID, `updatedAt` epoch ms. */
export function checksumOf(id: string, updatedAt: number): bigint {
  return (BigInt(`0x${id.replaceAll('-', '')}`) * OF_ID + BigInt(updatedAt) * OF_TIME) & MASK;
}

/** Counts and a checksum of ids and update times, to compare with the table's. */
export function fingerprint(database: DatabaseSync): {
  records: number;
  relationships: number;
  checksum: string;
} {
  let checksum = 0n;
  let records = 0;
  for (const row of database.prepare('SELECT id, updated_at FROM records').iterate()) {
    records += 1;
    checksum ^= checksumOf(String(row.id), Number(row.updated_at));
  }
  let relationships = 0;
  for (const row of database.prepare('SELECT id, updated_at FROM relationships').iterate()) {
    relationships += 1;
    checksum ^= checksumOf(String(row.id), Number(row.updated_at));
  }
  return { records, relationships, checksum: checksum.toString(16) };
}

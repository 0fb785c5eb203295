// New identifiers: random ones, and ones that sort by the time they were made.
import { randomBytes, randomUUID } from 'node:crypto';
import { uuidFrom } from './crypto.ts';

/** A random UUID (version 4). */
export const newId: () => string = randomUUID;

/** Random hex characters, at most 24. Taken from a UUID because Node buffers random bytes only for those. */
export function randomHex(length: number): string {
  const uuid = randomUUID();
  // The third and the fourth group also contain the version and the variant.
  return `${uuid.slice(0, 8)}${uuid.slice(9, 13)}${uuid.slice(24)}`.slice(0, length);
}

/** Eight random characters that distinguish the few writers of an item; short, because every write carries them. */
export function newNonce(): string {
  return randomHex(8);
}

/** A UUID of version 7: its first 48 bits are the time in epoch ms, so ids made later sort later. */
export function newTimeOrderedId(nowMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  return uuidFrom(bytes, 7);
}

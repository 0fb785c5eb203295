// New identifiers: random ones, and ones that sort by the time they were made.
import { randomBytes, randomUUID } from 'node:crypto';
import { uuidFrom } from './crypto.ts';

/** A random UUID (version 4). */
export const newId: () => string = randomUUID;

/** Eight random characters that tell the few writers of one item apart; short, because every write carries them. */
export function newNonce(): string {
  return randomBytes(4).toString('hex');
}

/** A UUID of version 7: its first 48 bits are the time in epoch ms, so ids made later sort later. */
export function newTimeOrderedId(nowMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  return uuidFrom(bytes, 7);
}

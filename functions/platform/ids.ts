// New identifiers: random ones, and ones that sort by the time they were made.
import { randomBytes, randomUUID } from 'node:crypto';

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
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

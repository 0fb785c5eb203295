// Digests, MACs, constant-time comparison, and the strict encodings of tokens, keys and fingerprints.
import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Input of the hash functions: a text counts as its UTF-8 bytes. */
export type Bytes = string | Uint8Array;

/** SHA-256 of the bytes, 32 raw bytes. */
export function sha256(data: Bytes): Buffer {
  return createHash('sha256').update(data).digest();
}

/** SHA-256 of the bytes as 64 lowercase hex characters. */
export function sha256Hex(data: Bytes): string {
  return sha256(data).toString('hex');
}

/** HMAC-SHA256, 32 raw bytes. A text key counts as its UTF-8 bytes: a hex string is not decoded. */
export function hmacSha256(key: string | KeyObject, data: Bytes): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

/** HMAC-SHA256 as 64 lowercase hex characters. */
export function hmacSha256Hex(key: string | KeyObject, data: Bytes): string {
  return hmacSha256(key, data).toString('hex');
}

/** Equality in a time that does not depend on where the two differ. The lengths may differ; never throws. */
export function constantTimeEqual(left: Bytes, right: Bytes): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

/** The bytes of an unpadded base64url text, or undefined unless it is the one canonical spelling of those bytes. */
export function base64urlDecode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/**
 * JSON with the keys of every object in UTF-16 order and no spacing (the form of RFC 8785), so that equal
 * values have equal text. As in JSON, undefined properties are omitted. Throws TypeError for a
 * value that JSON cannot hold faithfully: a number that is not finite, a bigint, a function, a symbol,
 * undefined at the top or in an array.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`;
  if (typeof value === 'object') return canonicalObject(value);
  throw new TypeError(`no canonical JSON for ${typeof value === 'number' ? String(value) : typeof value}`);
}

function canonicalObject(value: object): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** Whether two values are the same as JSON. Throws as `canonicalJson`. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/**
 * SHA-256, lowercase hex, of the canonical JSON: equal for values that differ in key order and spacing only.
 * Throws as `canonicalJson`.
 */
export function fingerprint(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

/**
 * A UUID made of the first 16 bytes, of version 8 by default: equal bytes of a digest give equal ids. Throws RangeError
 * on fewer bytes.
 */
export function uuidFrom(bytes: Uint8Array, version: 7 | 8 = 8): string {
  if (bytes.length < 16) throw new RangeError('a UUID takes 16 bytes');
  const uuid = Buffer.from(bytes.subarray(0, 16));
  uuid.writeUInt8((uuid.readUInt8(6) & 0x0f) | (version << 4), 6);
  uuid.writeUInt8((uuid.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidOfHex(uuid.toString('hex'));
}

/** The 8-4-4-4-12 form of the 32 hex digits of a UUID. */
export function uuidOfHex(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the value is a string in the 8-4-4-4-12 form of a UUID, of any version and in either case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

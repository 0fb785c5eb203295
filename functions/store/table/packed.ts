// Bodies of any size: text if short, compressed in their item up to 64 KB, else an object in the bucket.
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync, type ZlibOptions } from 'node:zlib';
import * as z from 'zod';
import { limits } from '#contract/limits.ts';
import { getObject, openObject, putObject } from './object-store.ts';

/** Up to this size, an item with its keys still takes one write unit (1 KB) as text. */
const TEXT_MAX_BYTES = 256;

/** The body itself, or the key of its object. */
export const Packed = z.union([
  z.object({ json: z.string() }),
  z.object({ gz: z.instanceof(Uint8Array) }),
  z.object({ s3_key: z.string() }),
]);
export type Packed = z.infer<typeof Packed>;

/** An item that is a body and its key. */
export const PackedItem = z.object({ body: Packed });

/**
 * Packs a JSON value. `key` is the key of the object if it is large. It must be unique to this write, so that a write
 * that loses a race leaves an orphan instead of overwriting a committed object. `gzMaxBytes` bounds the compressed size
 * within the item.
 */
export async function pack(
  value: unknown,
  key: string,
  gzMaxBytes = Number.POSITIVE_INFINITY,
): Promise<Packed> {
  const text = JSON.stringify(value);
  const json = Buffer.from(text);
  if (json.length <= TEXT_MAX_BYTES) return { json: text };
  // A fast level would save less than a millisecond and cost a write unit for each further KB.
  if (json.length <= limits.inline_body_max_bytes) {
    const gz = gzipSync(json, bufferOf(json.length));
    if (gz.length <= gzMaxBytes) return { gz };
  }
  await putObject(key, json);
  return { s3_key: key };
}

/** As `pack`, but undefined if the value takes at most `inlineBytes` as JSON and can stay a plain attribute. */
export async function packLong(
  value: unknown,
  key: string,
  inlineBytes: number = limits.inline_body_max_bytes,
): Promise<Packed | undefined> {
  return Buffer.byteLength(JSON.stringify(value)) > inlineBytes ? pack(value, key) : undefined;
}

/** The packed value, checked by `parse`. Throws if its object is gone. */
export async function unpack<T>(packed: Packed, parse: (value: unknown) => T | Promise<T>): Promise<T> {
  return parse(JSON.parse(await textOf(packed)));
}

/** The JSON text of a packed value, piece by piece: a large one is never in memory as a whole. */
export async function openPacked(packed: Packed): Promise<Readable> {
  return 's3_key' in packed ? openObject(packed.s3_key) : Readable.from([Buffer.from(await textOf(packed))]);
}

async function textOf(packed: Packed): Promise<string> {
  if ('json' in packed) return packed.json;
  return 'gz' in packed
    ? gunzipSync(packed.gz, bufferOf(sizeIn(packed.gz))).toString()
    : getObject(packed.s3_key);
}

/** zlib's least buffer. */
const BUFFER_MIN_BYTES = 64;

/**
 * A buffer for the whole result, and a byte more: zlib gets another one when the first is full. Most are far below the
 * default of 16 KB, of which a few hundred make V8 collect the whole heap.
 */
function bufferOf(resultBytes: number): ZlibOptions {
  return { chunkSize: Math.min(Math.max(resultBytes + 1, BUFFER_MIN_BYTES), limits.inline_body_max_bytes) };
}

const SIZE_BYTES = 4;

/** The uncompressed size, as gzip notes it at the end. */
function sizeIn(gz: Uint8Array): number {
  const end = new DataView(gz.buffer, gz.byteOffset, gz.byteLength);
  return gz.byteLength < SIZE_BYTES ? 0 : end.getUint32(gz.byteLength - SIZE_BYTES, true);
}

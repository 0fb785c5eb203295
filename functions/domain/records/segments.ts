// Segments of changes in the bucket: what one reader has read from the table, for the readers that come after it.
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import * as z from 'zod';
import { Entity, Relationship } from '#contract/entities.ts';
import { SEGMENTS_PREFIX } from '#contract/retention.ts';
import { describe, log } from '#platform/log.ts';
import { findBytes, putBytes } from '#store/table/object-store.ts';

/** A larger segment is not saved: its readers read the table. */
const SEGMENT_MAX_BYTES = 32 * 1024 * 1024;

const Vector = z.codec(z.base64(), z.instanceof(Int8Array), {
  decode: (text) => Int8Array.from(Buffer.from(text, 'base64')),
  encode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
});

const Part = z.object({
  /** The reading that saw the states. */
  reading: z.string(),
  /** Names of changes of which the part has all that exists. */
  names: z.array(z.string()),
  records: z.array(z.object({ entity: Entity, vector: Vector.optional(), vector_of: z.string().optional() })),
  relationships: z.array(Relationship),
});
/** What one reading saw of some changes: the records and relationships that exist of those that they name. */
export type Part = z.infer<typeof Part>;

const Segment = z.array(Part);

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Whose changes, and those of which second (epoch seconds). */
export interface SegmentName {
  workspace_id: string;
  incarnation: string;
  second: number;
}

const keyOf = ({ workspace_id, incarnation, second }: SegmentName) =>
  `${SEGMENTS_PREFIX}${workspace_id}/${incarnation}/${second}.zst`;

/** What readers have saved of a second; nothing if the bucket does not give it, because the table has it all. */
export async function partsOf(name: SegmentName): Promise<Part[]> {
  try {
    const packed = await findBytes(keyOf(name));
    if (!packed) return [];
    const json = await decompress(packed, { maxOutputLength: SEGMENT_MAX_BYTES });
    return Segment.decode(JSON.parse(json.toString()));
  } catch (error) {
    log.warn('segment not read', { ...name, error: describe(error) });
    return [];
  }
}

/**
 * Saves the parts of a second. Of two readers that do so at once one replaces the other: what is lost is read from the
 * table again. Never throws.
 */
export async function saveParts(name: SegmentName, parts: Part[]): Promise<void> {
  try {
    const json = Buffer.from(JSON.stringify(Segment.encode(parts)));
    if (json.length > SEGMENT_MAX_BYTES) return;
    await putBytes(keyOf(name), Buffer.from(await compress(json)));
  } catch (error) {
    log.warn('segment not saved', { ...name, error: describe(error) });
  }
}

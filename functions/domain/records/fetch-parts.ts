// What a restored index lacks of its snapshot: fetched when a question or a change first needs it.
import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { newId } from '#platform/ids.ts';
import { settleAll } from '#platform/settle-all.ts';
import { type FileName, pathOf } from '#record-index/files.ts';
import { IndexDamaged, IndexIncomplete } from '#record-index/index-errors.ts';
import { PIECE_BYTES } from '#record-index/pack.ts';
import { blockOf, bodiesIn, ridIn } from '#record-index/record-bodies.ts';
import { onIndex } from '#record-index/record-index.ts';
import type { ObjectName } from '#record-index/snapshot-objects.ts';
import { findBytes } from '#store/table/object-store.ts';

/** Objects that are fetched and unpacked at once: some come while others are unpacked, each takes memory. */
const OBJECTS_AT_ONCE = 8;

const decompress = promisify(zstdDecompress);

/**
 * The prefixes of snapshots whose objects are gone or damaged: this process restores them no more, and builds from the
 * table while the head names one.
 */
export const incomplete = new Set<string>();

/** The key of an object of a snapshot. */
export const objectKey = (prefix: string, { part, number }: { part: string; number: number }) =>
  `${prefix}/${part}-${number}.zst`;

/** An object, unpacked; undefined when it is gone or damaged. */
async function fetchObject(prefix: string, name: ObjectName, sum: string): Promise<Buffer | undefined> {
  const packed = await findBytes(objectKey(prefix, name));
  if (!packed || createHash('sha256').update(packed).digest('base64url') !== sum) return undefined;
  // One buffer: several would be joined by copying.
  return decompress(packed, { chunkSize: PIECE_BYTES + 1 });
}

/** Writes a file of a snapshot to `path`, all of it or nothing; false when an object is gone or damaged. */
export async function unpackFile(
  prefix: string,
  part: ObjectName['part'],
  sums: string[],
  path: string,
): Promise<boolean> {
  const copy = `${path}.${newId()}.copy`;
  const target = await open(copy, 'w', 0o600);
  let isWhole = true;
  const unpackPiece = async ([number, sum]: [number, string]) => {
    const bytes = isWhole ? await fetchObject(prefix, { part, number }, sum) : undefined;
    isWhole = bytes !== undefined;
    for (let written = 0; bytes && written < bytes.length; ) {
      const at = number * PIECE_BYTES + written;
      written += (await target.write(bytes, written, undefined, at)).bytesWritten;
    }
  };
  try {
    await settleAll([...sums.entries()], OBJECTS_AT_ONCE, unpackPiece);
    if (isWhole) await rename(copy, path);
    return isWhole;
  } finally {
    await target.close();
    await rm(copy, { force: true });
  }
}

/**
 * Adds a file of its snapshot to a restored index; it follows the table from its own cursor. Throws ServiceTrouble when
 * the bucket does not answer, and IndexDamaged when objects are damaged or gone, mostly because a newer snapshot has
 * replaced theirs.
 */
export async function addFile(file: string, name: FileName): Promise<void> {
  const absent = await onIndex(file, 'absentObjects', name);
  if (!absent) return;
  const sums = absent.objects.map(({ sum }) => sum);
  if (!(await unpackFile(absent.where, name, sums, pathOf(file, name)))) throw lostSnapshot(absent.where);
}

function lostSnapshot(prefix: string): IndexDamaged {
  incomplete.add(prefix);
  return new IndexDamaged('an object of a snapshot is gone or damaged');
}

/** Adds blocks of bodies to a restored index; returns the bodies by rid. Throws as `addFile`. */
async function addBlocks(file: string, blocks: number[]): Promise<Map<number, string>> {
  const known = await onIndex(file, 'absentObjects', 'bodies');
  const sums = new Map(known?.objects.map(({ number, sum }) => [number, sum]));
  const { where = '' } = known ?? {};
  const bodies = new Map<number, string>();
  await settleAll(blocks, OBJECTS_AT_ONCE, async (number) => {
    const bytes = await fetchObject(where, { part: 'bodies', number }, sums.get(number) ?? '');
    if (!bytes) throw lostSnapshot(where);
    await onIndex(file, 'addBlock', bytes.toString());
    for (const [rid, body] of bodiesIn(bytes.toString())) bodies.set(rid, body);
  });
  return bodies;
}

/** Does work on indexes; when it needs bodies that one lacks, adds these first. Throws as `addFile`. */
export async function withBodies<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IndexIncomplete) || error.absent.files.length > 0) throw error;
      await addBlocks(error.absent.file, error.absent.blocks);
    }
}

/** Puts the bodies of hits that are still in the snapshot in their fields. Throws as `addFile`. */
export async function fillBodies(file: string, hits: { body: string }[]): Promise<void> {
  const rids = hits.map(({ body }) => ridIn(body));
  const blocks = new Set(rids.flatMap((rid) => (rid === undefined ? [] : blockOf(rid))));
  if (blocks.size === 0) return;
  const bodies = await addBlocks(file, [...blocks]);
  for (const [i, hit] of hits.entries()) {
    const rid = rids[i];
    if (rid === undefined) continue;
    const body = bodies.get(rid);
    if (body === undefined) throw new IndexDamaged('a record has no body');
    hit.body = body;
  }
}

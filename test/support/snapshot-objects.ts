// A snapshot of an index on disk: restored to a file with holes, and its objects as they are added when needed.
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { ObjectsAbsent } from '#record-index/absent.ts';
import { operations } from '#record-index/operations.ts';
import { CORE, writePages } from '#record-index/pages.ts';
import { openFile } from '#record-index/schema.ts';
import type { FetchedObject } from '#record-index/snapshot-objects.ts';

/** A restored index, the path of its file, and all objects of its snapshot. */
export interface Restored {
  index: DatabaseSync;
  path: string;
  objects: FetchedObject[];
}

/** Packs an index, and restores what every question needs to a file at `path`. */
export function restoredFrom(whole: DatabaseSync, path: string, where = 'a place'): Restored {
  const target = `${path}.objects`;
  const packed = operations.pack(whole, { path: `${path}.copy`, target, where });
  const all = readFileSync(target);
  let at = 0;
  const objects = packed.objects.map(({ part, number, bytes }) => {
    at += bytes;
    return { part, number, where, packed: all.subarray(at - bytes, at) };
  });
  writeFileSync(path, '');
  truncateSync(path, packed.file_bytes);
  for (const { part, packed: bytes } of objects)
    if (part === CORE) writePages(path, zstdDecompressSync(bytes));
  return { index: openFile(path), path, objects };
}

/** Does work on a restored index, adding the objects that it needs; returns its result and these objects' names. */
export function addingObjects<T>(
  { index, objects }: Restored,
  work: (index: DatabaseSync) => T,
): { result: T; added: string[] } {
  const added: string[] = [];
  for (;;)
    try {
      return { result: work(index), added };
    } catch (error) {
      if (!(error instanceof ObjectsAbsent)) throw error;
      for (const { part, number } of error.names) {
        const object = objects.find((one) => one.part === part && one.number === number);
        if (!object) throw new Error(`there is no object ${part}-${number}`);
        operations.addObject(index, object);
        added.push(`${part}-${number}`);
      }
    }
}

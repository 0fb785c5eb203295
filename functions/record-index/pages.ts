// The pages of an index file by the use of their tables, so that a snapshot has them in parts. A file that lacks a part
// has a hole in its place: zeros, which SQLite takes for damage and never for a page.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Tables and indexes that not all questions need, by the part that has their pages. */
const apart = {
  /** Words, which select and rank. */
  words: ['words_data', 'words_idx', 'words_docsize'],
  /** Texts that are too long for their column, and values of fields without one. */
  wide: ['wide'],
  elements: ['elements'],
  /** Records by id, name and outside name. */
  lookups: ['records_id', 'records_name', 'records_uri', 'records_outside'],
  links: [
    ...['relationships', 'relationships_id', 'relationships_from', 'relationships_to'],
    ...['relationship_words_data', 'relationship_words_idx', 'relationship_words_docsize'],
  ],
  vectors: ['vectors', 'vectors_version', 'vector_of'],
} as const;
export type ApartName = keyof typeof apart;
/** The part with all other pages. */
export const CORE = 'core';

/** Pages as bytes: how many runs of consecutive pages, first page and length of each, then the pages. */
const NUMBER_BYTES = 4;
const PAGE_BYTES = 4096;
/** How many pages one object has. */
const OBJECT_PAGES = 2048;
/** More than an object, so that each is unpacked into one buffer: several would be joined by copying. */
export const UNPACKED_CHUNK_BYTES = (OBJECT_PAGES + 8) * PAGE_BYTES;

/** The pages of one object. */
export interface PageObject {
  part: string;
  number: number;
  bytes: Buffer;
}

/** The pages of the parts that are apart, from the file of an open index that nothing writes to. */
export function* apartPages(database: DatabaseSync, path: string): Generator<PageObject> {
  for (const [part, names] of Object.entries(apart)) {
    const pages = database
      .prepare('SELECT pageno FROM dbstat WHERE name IN (SELECT value FROM json_each(?)) ORDER BY pageno')
      .all(JSON.stringify(names))
      .map(({ pageno }) => Number(pageno));
    yield* objectsOf(path, part, pages);
  }
}

/** All other pages. */
export function* corePages(database: DatabaseSync, path: string): Generator<PageObject> {
  const pages = database
    .prepare(`SELECT pageno FROM dbstat WHERE name NOT IN (SELECT value FROM json_each(?)) ORDER BY pageno`)
    .all(JSON.stringify(Object.values(apart).flat()))
    .map(({ pageno }) => Number(pageno));
  yield* objectsOf(path, CORE, pages);
}

function* objectsOf(path: string, part: string, pages: number[]): Generator<PageObject> {
  const source = openSync(path, 'r');
  try {
    for (let number = 0; number * OBJECT_PAGES < pages.length; number += 1) {
      const some = pages.slice(number * OBJECT_PAGES, (number + 1) * OBJECT_PAGES);
      yield { part, number, bytes: toBytes(source, some) };
    }
  } finally {
    closeSync(source);
  }
}

interface Run {
  first: number;
  pages: number;
}

function toBytes(source: number, pages: number[]): Buffer {
  const runs = runsOf(pages);
  const head = Uint32Array.of(runs.length, ...runs.flatMap(({ first, pages }) => [first, pages]));
  const bytes = Buffer.alloc(head.byteLength + pages.length * PAGE_BYTES);
  bytes.set(new Uint8Array(head.buffer));
  let at = head.byteLength;
  for (const run of runs) {
    const length = run.pages * PAGE_BYTES;
    readSync(source, bytes, at, length, (run.first - 1) * PAGE_BYTES);
    at += length;
  }
  return bytes;
}

function runsOf(pages: number[]): Run[] {
  const runs: Run[] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last && page === last.first + last.pages) last.pages += 1;
    else runs.push({ first: page, pages: 1 });
  }
  return runs;
}

/** Consecutive pages, and where they begin in the file. */
interface Piece {
  position: number;
  bytes: Buffer;
}

/** The pages of an object. */
export function* piecesOf(bytes: Buffer): Generator<Piece> {
  const count = bytes.readUInt32LE(0);
  let at = (1 + 2 * count) * NUMBER_BYTES;
  for (let run = 0; run < count; run += 1) {
    const first = bytes.readUInt32LE((1 + 2 * run) * NUMBER_BYTES);
    const length = bytes.readUInt32LE((2 + 2 * run) * NUMBER_BYTES) * PAGE_BYTES;
    yield { position: (first - 1) * PAGE_BYTES, bytes: bytes.subarray(at, at + length) };
    at += length;
  }
}

/**
 * Writes the pages of an object to a file that has a hole there. The close ends the locks of this process on the file:
 * one with holes is on the disk of one process.
 */
export function writePages(path: string, bytes: Buffer): void {
  const target = openSync(path, 'r+');
  try {
    for (const piece of piecesOf(bytes))
      for (let written = 0; written < piece.bytes.length; )
        written += writeSync(target, piece.bytes, written, undefined, piece.position + written);
  } finally {
    closeSync(target);
  }
}

// Vectors that stay in memory from question to question: of the files and embeddings that were asked last, as many as
// fit. What has changed since, by any process, is read again, chunk by chunk.
import type { DatabaseSync } from 'node:sqlite';
import { type VectorRows, vectorRows } from './dot-products.ts';
import { checkReading } from './reading-limits.ts';
import { CHUNK, type ChunkHead, fromBytes, release } from './vector-chunks.ts';

/** A chunk in memory: its vectors begin at this row. */
interface ResidentChunk extends ChunkHead {
  first: number;
}

/** All vectors of a file that one embedding made. */
export interface Residents {
  rows: VectorRows;
  /** By their numbers. */
  chunks: Map<number, ResidentChunk>;
}

interface Entry extends Residents {
  database: DatabaseSync;
  of: string;
  bytes: number;
  /** Identifies the tables that they were read from. */
  tables: unknown;
  /** Every version of a chunk up to this one is in memory. */
  version: number;
}

/** Vectors come into memory only for a question about at least one record for so many chunks. */
const CHUNKS_PER_RECORD = 8;

/** The least recently used first. */
let entries: Entry[] = [];
let budgetBytes = 0;

/** From now on this thread retains vectors, at most of so many bytes. */
export function retainVectors(bytes: number): void {
  budgetBytes = bytes;
}

/** Drops the vectors of a file that is closed. */
export function dropVectors(database: DatabaseSync): void {
  entries = entries.filter((entry) => entry.database !== database);
}

/** The bytes of the vectors that are in memory. */
export const residentBytes = (): number => entries.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * The vectors of the file in their present state, for a question about so many records. Undefined: they are not in
 * memory, and either do not fit or are too many for this question.
 */
export function residentsOf(
  database: DatabaseSync,
  { of, dimensions }: { of: string; dimensions: number },
  records: number,
): Residents | undefined {
  if (budgetBytes === 0) return undefined;
  const known = entries.find((entry) => entry.database === database && entry.of === of);
  const count = database.prepare('SELECT count(*) AS count FROM vectors WHERE vector_of = ?').get(of);
  const chunks = Number(count?.count);
  const bytes = chunks * CHUNK * dimensions;
  if (!known && records * CHUNKS_PER_RECORD < chunks) return undefined;
  entries = entries.filter((entry) => entry !== known);
  if (bytes > budgetBytes) return undefined;
  while (residentBytes() + bytes > budgetBytes) entries.shift();
  const entry = known ?? emptyEntry(database, of, dimensions);
  entries.push(entry);
  entry.bytes = bytes;
  entry.rows.reserve(chunks * CHUNK);
  readChanges(entry);
  return entry;
}

function emptyEntry(database: DatabaseSync, of: string, dimensions: number): Entry {
  return {
    ...{ database, of, bytes: 0, tables: undefined, version: 0 },
    rows: vectorRows(dimensions, CHUNK),
    chunks: new Map(),
  };
}

/** Reads the chunks that were written since; an interrupted reading continues where it was with the next question. */
function readChanges(entry: Entry): void {
  const { database, of, chunks, rows } = entry;
  const tables = database.prepare("SELECT value FROM meta WHERE key = 'tables'").get()?.value;
  if (entry.tables !== tables) {
    chunks.clear();
    Object.assign(entry, { tables, version: 0 });
  }
  const changed = database.prepare(
    'SELECT chunk, version, data FROM vectors WHERE vector_of = ? AND version > ? ORDER BY version',
  );
  for (const row of changed.iterate(of, entry.version)) {
    checkReading();
    const chunk = fromBytes(row.data);
    if (!chunk) continue;
    const { lengths, types, components } = chunk;
    const first = chunks.get(Number(row.chunk))?.first ?? chunks.size * CHUNK;
    rows.put(first, components);
    release(chunk);
    chunks.set(Number(row.chunk), { lengths, types, first });
    entry.version = Number(row.version);
  }
}

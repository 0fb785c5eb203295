// Vectors of records: written in chunks, compared with a query in memory, whole chunks or the few that count.
import type { DatabaseSync } from 'node:sqlite';
import { offlineVectorOf } from '#contract/embeddings.ts';
import type { NearestQuery, Selection } from '#contract/record-queries.ts';
import { quantize } from '#platform/quantize.ts';
import { type VectorRows, vectorRows } from './dot-products.ts';
import { checkReading } from './reading-limits.ts';
import { type Residents, residentsOf } from './resident-vectors.ts';
import {
  CHUNK,
  type Chunk,
  type ChunkHead,
  emptyChunk,
  fromBytes,
  NONE,
  release,
  toBytes,
} from './vector-chunks.ts';

/** From this many vectors on, comparing the whole chunk is faster than each by itself. */
const WHOLE_FROM = CHUNK / 8;
const POSITIONS = Array.from({ length: CHUNK }, (_, position) => position);

/** A vector, and which embedding made it; absent: the offline one. */
interface WrittenVector {
  components: ArrayLike<number>;
  vector_of: string | undefined;
}

export interface VectorWriter {
  /** Sets or removes the vector of a record of this type. */
  put(rid: number, vector: WrittenVector | undefined, type: string): void;
  /** Removes the vector of a record. */
  remove(rid: number): void;
  flush(): void;
}

/** Writes none: the file with vectors is not there yet. */
export const noVectors: VectorWriter = {
  put: () => undefined,
  remove: () => undefined,
  flush: () => undefined,
};

/** Writes vectors, each chunk once. */
export function vectorWriter(database: DatabaseSync): VectorWriter {
  const open = new Map<string, { of: string; number: number; chunk: Chunk }>();
  const read = database.prepare('SELECT data FROM vectors WHERE vector_of = ? AND chunk = ?');
  const before = database.prepare('SELECT vector_of, dimensions FROM vector_of WHERE rid = ?');
  const remember = database.prepare(
    'INSERT OR REPLACE INTO vector_of(rid, vector_of, dimensions) VALUES (?, ?, ?)',
  );
  const forget = database.prepare('DELETE FROM vector_of WHERE rid = ?');
  const typeNumber = typeNumbers(database);

  function chunkOf(of: string, dimensions: number, rid: number): Chunk {
    const number = Math.floor(rid / CHUNK);
    const key = `${of}/${number}`;
    const known = open.get(key)?.chunk;
    const chunk = known ?? fromBytes(read.get(of, number)?.data) ?? emptyChunk(dimensions);
    open.set(key, { of, number, chunk });
    return chunk;
  }

  function remove(rid: number): void {
    const known = before.get(rid);
    if (!known) return;
    chunkOf(String(known.vector_of), Number(known.dimensions), rid).lengths[rid % CHUNK] = NONE;
    forget.run(rid);
  }

  return {
    put(rid, vector, type) {
      remove(rid);
      if (!vector || vector.components.length === 0) return;
      const bytes = quantize(vector.components);
      const of = vector.vector_of ?? offlineVectorOf(bytes.length);
      const { lengths, types, components } = chunkOf(of, bytes.length, rid);
      const position = rid % CHUNK;
      components.set(bytes, position * bytes.length);
      lengths[position] = lengthOf(bytes);
      types[position] = typeNumber(type);
      remember.run(rid, of, bytes.length);
    },
    remove,
    flush() {
      // Of each chunk another version, so that a reader that stopped between two knows which it has.
      const write = database.prepare(
        `INSERT OR REPLACE INTO vectors(vector_of, chunk, filled, data, version) VALUES
          ($of, $number, $filled, $data, (SELECT ifnull(max(version), 0) + 1 FROM vectors WHERE vector_of = $of))`,
      );
      for (const { of, number, chunk } of open.values()) {
        const filled = chunk.lengths.filter((length) => length !== NONE).length;
        write.run({ of, number, filled, data: toBytes(chunk) });
      }
      open.clear();
    },
  };
}

/** The number of a type, given to it the first time. */
function typeNumbers(database: DatabaseSync): (type: string) => number {
  const known = new Map<string, number>();
  const add = database.prepare('INSERT OR IGNORE INTO type_numbers(type) VALUES (?)');
  const select = database.prepare('SELECT number FROM type_numbers WHERE type = ?');
  return (type) => {
    const number = known.get(type);
    if (number !== undefined) return number;
    add.run(type);
    const added = Number(select.get(type)?.number);
    known.set(type, added);
    return added;
  };
}

function lengthOf(bytes: Int8Array): number {
  let squares = 0;
  for (const component of bytes) squares += component * component;
  return Math.sqrt(squares);
}

export interface Near {
  rid: number;
  score: number;
}

/** Which records count: these (ascending), those of these types, or all. */
export type Counting = { rids: number[] } | { types: string[] } | 'all';

/** A chunk whose vectors are in rows from `first` on. */
interface Scanned {
  number: number;
  head: ChunkHead;
  first: number;
  /** Those that count. */
  positions: readonly number[];
}

/** How many vectors there are of each embedding. */
export function countVectors(database: DatabaseSync): { vector_of: string; count: number }[] {
  return database
    .prepare('SELECT vector_of, sum(filled) AS count FROM vectors GROUP BY vector_of HAVING count > 0')
    .all()
    .map((row) => ({ vector_of: String(row.vector_of), count: Number(row.count) }));
}

/** The vectors of its embedding that are nearest to the query by cosine, best first, from `minScore` up. */
export function nearestVectors(
  database: DatabaseSync,
  { vector: query, vector_of, limit, min_score }: Omit<NearestQuery, keyof Selection>,
  counting: Counting,
): Near[] {
  checkReading();
  const dimensions = query.length;
  const of = vector_of ?? offlineVectorOf(dimensions);
  const components = quantize(query);
  const length = lengthOf(components);
  const best = bestOf(limit, min_score);
  const rids = counting !== 'all' && 'rids' in counting ? counting.rids : undefined;
  const types = counting !== 'all' && 'types' in counting ? numbersOf(database, counting.types) : undefined;
  const residents = residentsOf(database, { of, dimensions }, rids?.length ?? Number.POSITIVE_INFINITY);
  const rows = residents?.rows ?? copiesOf(dimensions);
  rows.compareWith(components);
  const scan = ({ number, head, first, positions }: Scanned) => {
    checkReading();
    const whole = positions.length >= WHOLE_FROM ? rows.products(first, CHUNK) : undefined;
    for (const position of positions) {
      const own = head.lengths[position] ?? NONE;
      if (own === NONE || types?.has(head.types[position] ?? 0) === false) continue;
      const product = (whole ? whole[position] : rows.products(first + position, 1)[0]) ?? 0;
      const score = own === 0 || length === 0 ? 0 : product / (own * length);
      best.add(number * CHUNK + position, Math.max(-1, Math.min(1, score)));
    }
  };
  if (residents) scanMemory(residents, rids, scan);
  else scanFile({ database, rows, of }, rids, scan);
  return best.sorted();
}

function numbersOf(database: DatabaseSync, types: string[]): Set<number> {
  return new Set(
    database
      .prepare('SELECT number FROM type_numbers WHERE type IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(types))
      .map(({ number }) => Number(number)),
  );
}

/** The records by chunk, as positions in it. They ascend. */
function* byChunk(rids: number[]): Generator<[number, number[]]> {
  for (let start = 0; start < rids.length; ) {
    const number = Math.floor((rids[start] ?? 0) / CHUNK);
    const positions: number[] = [];
    for (; start < rids.length && (rids[start] ?? 0) < (number + 1) * CHUNK; start += 1)
      positions.push((rids[start] ?? 0) % CHUNK);
    yield [number, positions];
  }
}

function scanMemory({ chunks }: Residents, rids: number[] | undefined, scan: (chunk: Scanned) => void): void {
  if (!rids)
    for (const [number, head] of chunks) scan({ number, head, first: head.first, positions: POSITIONS });
  else
    for (const [number, positions] of byChunk(rids)) {
      const head = chunks.get(number);
      if (head) scan({ number, head, first: head.first, positions });
    }
}

/** Copies one chunk after the other to the same rows. */
function scanFile(
  { database, rows, of }: { database: DatabaseSync; rows: VectorRows; of: string },
  rids: number[] | undefined,
  scan: (chunk: Scanned) => void,
): void {
  const copy = (number: number, positions: readonly number[], data: unknown) => {
    const chunk = fromBytes(data);
    if (!chunk) return;
    rows.put(0, chunk.components);
    release(chunk);
    scan({ number, head: chunk, first: 0, positions });
  };
  if (rids) {
    const one = database.prepare('SELECT data FROM vectors WHERE vector_of = ? AND chunk = ?');
    for (const [number, positions] of byChunk(rids)) copy(number, positions, one.get(of, number)?.data);
  } else {
    const all = database.prepare('SELECT chunk, data FROM vectors WHERE vector_of = ? ORDER BY chunk');
    for (const { chunk, data } of all.iterate(of)) copy(Number(chunk), POSITIONS, data);
  }
}

let copies: { dimensions: number; rows: VectorRows } | undefined;

/** The rows for copies of one chunk of so many dimensions; the next call ends them. */
function copiesOf(dimensions: number): VectorRows {
  if (copies?.dimensions !== dimensions) copies = { dimensions, rows: vectorRows(dimensions, CHUNK) };
  return copies.rows;
}

/** Collects the best hits; of equal scores the older record wins. */
function bestOf(limit: number, minScore: number) {
  const hits: Near[] = [];
  let floor = minScore;
  const order = (left: Near, right: Near) => right.score - left.score || left.rid - right.rid;
  const cut = () => {
    hits.sort(order).splice(limit);
    if (hits.length === limit) floor = Math.max(minScore, hits.at(-1)?.score ?? minScore);
  };
  return {
    add(rid: number, score: number) {
      if (score < floor) return;
      hits.push({ rid, score });
      if (hits.length >= limit * 2 + 64) cut();
    },
    sorted() {
      cut();
      return hits;
    },
  };
}

// Vectors as bytes, in chunks: the scan reads whole chunks, a condition only selects positions in them.
import type { DatabaseSync } from 'node:sqlite';
import { quantize } from '#platform/quantize.ts';
import { dotProducts } from './dot-products.ts';
import { checkReading } from './reading.ts';

/** One changed vector rewrites its chunk: with few vectors in it, changes stay cheap. */
const CHUNK = 64;
/** From this many vectors on, comparing the whole chunk is faster than copying those that count. */
const WHOLE_FROM = CHUNK / 8;
const POSITIONS = Array.from({ length: CHUNK }, (_, position) => position);
/** Instead of a length: no vector at this position. */
const NONE = -1;

interface Chunk {
  /** The length of each quantized vector; NONE without one. */
  lengths: Float32Array;
  components: Int8Array;
}

function emptyChunk(dimensions: number): Chunk {
  return { lengths: new Float32Array(CHUNK).fill(NONE), components: new Int8Array(CHUNK * dimensions) };
}

function toBytes({ lengths, components }: Chunk): Uint8Array {
  const bytes = new Uint8Array(lengths.byteLength + components.byteLength);
  bytes.set(new Uint8Array(lengths.buffer, lengths.byteOffset, lengths.byteLength), 0);
  bytes.set(
    new Uint8Array(components.buffer, components.byteOffset, components.byteLength),
    lengths.byteLength,
  );
  return bytes;
}

function fromBytes(data: unknown): Chunk | undefined {
  if (!(data instanceof Uint8Array)) return undefined;
  const lengthBytes = CHUNK * Float32Array.BYTES_PER_ELEMENT;
  return {
    // A copy: the bytes of a row need not be aligned to four.
    lengths: new Float32Array(data.slice(0, lengthBytes).buffer),
    components: new Int8Array(data.buffer, data.byteOffset + lengthBytes, data.byteLength - lengthBytes),
  };
}

export interface VectorWriter {
  /** Sets or removes the vector of a record. */
  put(rid: number, vector: ArrayLike<number> | undefined): void;
  flush(): void;
}

/** Writes vectors, each chunk once. */
export function vectorWriter(database: DatabaseSync): VectorWriter {
  const open = new Map<string, { dimensions: number; number: number; chunk: Chunk }>();
  const read = database.prepare('SELECT data FROM vectors WHERE dimensions = ? AND chunk = ?');
  const dimensionsOf = database.prepare('SELECT dimensions FROM vector_of WHERE rid = ?');
  const remember = database.prepare('INSERT OR REPLACE INTO vector_of(rid, dimensions) VALUES (?, ?)');
  const forget = database.prepare('DELETE FROM vector_of WHERE rid = ?');

  function chunkOf(dimensions: number, rid: number): Chunk {
    const number = Math.floor(rid / CHUNK);
    const key = `${dimensions}/${number}`;
    const known = open.get(key)?.chunk;
    const chunk = known ?? fromBytes(read.get(dimensions, number)?.data) ?? emptyChunk(dimensions);
    open.set(key, { dimensions, number, chunk });
    return chunk;
  }

  function clear(rid: number): void {
    const before = dimensionsOf.get(rid)?.dimensions;
    if (before === undefined) return;
    chunkOf(Number(before), rid).lengths[rid % CHUNK] = NONE;
    forget.run(rid);
  }

  return {
    put(rid, vector) {
      clear(rid);
      if (!vector || vector.length === 0) return;
      const { lengths, components } = chunkOf(vector.length, rid);
      const position = rid % CHUNK;
      const bytes = quantize(vector);
      components.set(bytes, position * bytes.length);
      lengths[position] = lengthOf(bytes);
      remember.run(rid, vector.length);
    },
    flush() {
      const write = database.prepare(
        'INSERT OR REPLACE INTO vectors(dimensions, chunk, data) VALUES (?, ?, ?)',
      );
      for (const { dimensions, number, chunk } of open.values())
        write.run(dimensions, number, toBytes(chunk));
      open.clear();
    },
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

/**
 * The vectors nearest to the query by cosine, best first, from `minScore` up. `rids` (ascending) are the records that
 * count; undefined: all.
 */
export function nearestVectors(
  database: DatabaseSync,
  query: ArrayLike<number>,
  rids: number[] | undefined,
  { limit, min_score }: { limit: number; min_score: number },
): Near[] {
  const dimensions = query.length;
  const components = quantize(query);
  const length = lengthOf(components);
  const best = bestOf(limit, min_score);
  const products = dotProducts(components, CHUNK);
  const scan = (number: number, chunk: Chunk, positions: readonly number[]) => {
    checkReading();
    const isWhole = positions.length >= WHOLE_FROM;
    if (isWhole) products.rows.set(chunk.components);
    else
      for (const [row, position] of positions.entries()) {
        const start = position * dimensions;
        products.rows.set(chunk.components.subarray(start, start + dimensions), row * dimensions);
      }
    const sums = products.sums(isWhole ? CHUNK : positions.length);
    for (const [row, position] of positions.entries()) {
      const own = chunk.lengths[position] ?? NONE;
      if (own === NONE) continue;
      const sum = sums[isWhole ? position : row] ?? 0;
      const score = own === 0 || length === 0 ? 0 : sum / (own * length);
      best.add(number * CHUNK + position, Math.max(-1, Math.min(1, score)));
    }
  };
  if (!rids) {
    const all = database.prepare('SELECT chunk, data FROM vectors WHERE dimensions = ? ORDER BY chunk');
    for (const row of all.iterate(dimensions)) {
      const chunk = fromBytes(row.data);
      if (chunk) scan(Number(row.chunk), chunk, POSITIONS);
    }
    return best.sorted();
  }
  const one = database.prepare('SELECT data FROM vectors WHERE dimensions = ? AND chunk = ?');
  for (const [number, members] of Map.groupBy(rids, (rid) => Math.floor(rid / CHUNK))) {
    const chunk = fromBytes(one.get(dimensions, number)?.data);
    if (chunk)
      scan(
        number,
        chunk,
        members.map((rid) => rid % CHUNK),
      );
  }
  return best.sorted();
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

// Vectors as they are stored: bytes, in chunks of neighboring records.

/** One changed vector rewrites its chunk: with few vectors in it, changes stay cheap. */
export const CHUNK = 64;
/** Instead of a length: no vector at this position. */
export const NONE = -1;

/** What is known of each vector of a chunk, without its components. */
export interface ChunkHead {
  /** The length of each quantized vector; NONE without one. */
  lengths: Float32Array;
  /** The number of each record's type. */
  types: Int32Array;
}

export interface Chunk extends ChunkHead {
  components: Int8Array;
}

const LENGTHS_BYTES = CHUNK * Float32Array.BYTES_PER_ELEMENT;
const HEAD_BYTES = LENGTHS_BYTES + CHUNK * Int32Array.BYTES_PER_ELEMENT;

/** A chunk without vectors. */
export function emptyChunk(dimensions: number): Chunk {
  return {
    lengths: new Float32Array(CHUNK).fill(NONE),
    types: new Int32Array(CHUNK),
    components: new Int8Array(CHUNK * dimensions),
  };
}

/** The stored form of a chunk. */
export function toBytes({ lengths, types, components }: Chunk): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + components.byteLength);
  bytes.set(new Uint8Array(lengths.buffer, lengths.byteOffset, lengths.byteLength), 0);
  bytes.set(new Uint8Array(types.buffer, types.byteOffset, types.byteLength), LENGTHS_BYTES);
  bytes.set(new Uint8Array(components.buffer, components.byteOffset, components.byteLength), HEAD_BYTES);
  return bytes;
}

/** The chunk of its stored form, which has the components; the head is a copy. */
export function fromBytes(data: unknown): Chunk | undefined {
  if (!(data instanceof Uint8Array)) return undefined;
  // The bytes of a row need not be aligned to four.
  const { buffer } = data.slice(0, HEAD_BYTES);
  return {
    lengths: new Float32Array(buffer, 0, CHUNK),
    types: new Int32Array(buffer, LENGTHS_BYTES, CHUNK),
    components: new Int8Array(data.buffer, data.byteOffset + HEAD_BYTES, data.byteLength - HEAD_BYTES),
  };
}

/** Frees the bytes of components that are copied elsewhere: to collect so much garbage takes longer than a question. */
export function release({ components: { buffer } }: Chunk): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

// The products of one vector of bytes with many others, by a kernel in WebAssembly: exact sums, on any processor.

/** The binary form of dot-products.wat. */
export const dotProductsModule = Buffer.from(
  [
    'AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFAwEAAQcVAgZtZW1vcnkCAAhwcm9kdWN0cwAACuUBAeIBAgR/A3sgAiADQQJ0aiEF',
    'IARBcHEhBgNAIAIgBUkEQP0MAAAAAAAAAAAAAAAAAAAAACEJQQAhBwNAIAcgBkkEQCAAIAdq/QAEACEKIAEgB2r9AAQAIQsg',
    'CSAK/YcBIAv9hwH9ugEgCv2IASAL/YgB/boB/a4B/a4BIQkgB0EQaiEHDAELCyAJ/RsAIAn9GwFqIAn9GwIgCf0bA2pqIQgD',
    'QCAHIARJBEAgCCAAIAdqLAAAIAEgB2osAABsaiEIIAdBAWohBwwBCwsgAiAINgIAIAJBBGohAiABIARqIQEMAQsLCw==',
  ].join(''),
  'base64',
);

const PAGE_BYTES = 65_536;
/** The kernel reads blocks of this size. */
const BLOCK_BYTES = 16;

/** What a comparison with one query needs. */
export interface DotProducts {
  /** Takes the vectors to compare, one after the other. */
  rows: Int8Array;
  /** The product of the query with each of the first `count` rows; the next call replaces them. */
  sums(count: number): Int32Array;
}

/** What dot-products.wat exports. */
interface Kernel {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  products(query: number, rows: number, sums: number, count: number, dimensions: number): void;
}

/** The part of the standard that this file uses; the types of Node lack it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: Kernel };
};

let loaded: Kernel | undefined;

/** Compares a query with at most `rowsMax` vectors at once; the next call ends it. */
export function dotProducts(query: Int8Array, rowsMax: number): DotProducts {
  loaded ??= new WebAssembly.Instance(new WebAssembly.Module(dotProductsModule)).exports;
  const { memory, products } = loaded;
  const dimensions = query.length;
  const sumsAt = 0;
  const queryAt = rowsMax * Int32Array.BYTES_PER_ELEMENT;
  const rowsAt = queryAt + Math.ceil(dimensions / BLOCK_BYTES) * BLOCK_BYTES;
  const missing = rowsAt + rowsMax * dimensions - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  new Int8Array(memory.buffer, queryAt, dimensions).set(query);
  return {
    rows: new Int8Array(memory.buffer, rowsAt, rowsMax * dimensions),
    sums(count) {
      products(queryAt, rowsAt, sumsAt, count, dimensions);
      return new Int32Array(memory.buffer, sumsAt, count);
    },
  };
}

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

/** Vectors of the same number of dimensions in a memory of their own, one row each, to be compared with a query. */
export interface VectorRows {
  /** Prepares the memory for this many rows, so that it does not grow little by little. */
  reserve(rows: number): void;
  /** Writes vectors that follow each other, the first one at this row. */
  put(row: number, components: Int8Array): void;
  /** The vector that the next products are of. */
  compareWith(query: Int8Array): void;
  /** The product of the query with each of `count` rows from `first` on; the next call replaces them. */
  products(first: number, count: number): Int32Array;
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

let compiled: object | undefined;

/** No rows yet. At most `countMax` of them are compared at once. */
export function vectorRows(dimensions: number, countMax: number): VectorRows {
  compiled ??= new WebAssembly.Module(dotProductsModule);
  const { memory, products } = new WebAssembly.Instance(compiled).exports;
  const sumsAt = 0;
  const queryAt = countMax * Int32Array.BYTES_PER_ELEMENT;
  const rowsAt = queryAt + Math.ceil(dimensions / BLOCK_BYTES) * BLOCK_BYTES;
  let bytes = new Int8Array(memory.buffer);
  const reserve = (rows: number) => {
    const missing = rowsAt + rows * dimensions - bytes.length;
    if (missing <= 0) return;
    memory.grow(Math.ceil(missing / PAGE_BYTES));
    bytes = new Int8Array(memory.buffer);
  };
  reserve(0);
  return {
    reserve,
    put(row, components) {
      reserve(row + components.length / dimensions);
      bytes.set(components, rowsAt + row * dimensions);
    },
    compareWith: (query) => bytes.set(query, queryAt),
    products(first, count) {
      products(queryAt, rowsAt + first * dimensions, sumsAt, count, dimensions);
      return new Int32Array(bytes.buffer, sumsAt, count);
    },
  };
}

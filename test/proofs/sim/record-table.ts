// The records of one workspace and the log of their changes, without an engine: of a record only its id is remembered,
// so that a million of them fit. DynamoDB's other items are in the table in memory.
import type { Item } from '#store/table/table.ts';

/** What DynamoDB bills a read and a write by. */
const READ_BYTES = 4096;
const WRITE_BYTES = 1024;

const bytesOf = (item: Item): number => JSON.stringify(item).length;
const blocks = (bytes: number, block: number): number => Math.max(1, Math.ceil(bytes / block));
const sum = (all: number[]): number => all.reduce((a, b) => a + b, 0);

/** Items in the order of their sort keys. */
export interface Collection {
  put(item: Item): void;
  get(sk: string): Item | undefined;
  /** At most `limit` items from a key on, or after it. */
  page(from: string, isAfter: boolean, limit: number): Item[];
  /** The units of a write of this item, and of a read of these. */
  writeUnits(item: Item): number;
  readUnits(items: Item[]): number;
}

/** Keys that mostly come in order. */
function sortedKeys() {
  const keys: string[] = [];
  let isSorted = true;
  return {
    add(key: string): void {
      isSorted &&= keys.length === 0 || (keys.at(-1) ?? '') < key;
      keys.push(key);
    },
    from(key: string, isAfter: boolean, limit: number): string[] {
      if (!isSorted) keys.sort();
      isSorted = true;
      let [low, high] = [0, keys.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        const one = keys[middle] ?? '';
        if (one < key || (isAfter && one === key)) low = middle + 1;
        else high = middle;
      }
      return keys.slice(low, low + limit);
    },
  };
}

/** A collection that makes its items of their keys. A record has at most 1 KB. */
function recordsLike(): Collection {
  const ids = new Set<string>();
  const sorted = sortedKeys();
  let first: Item = {};
  const made = (sk: string): Item => ({ ...first, sk, id: sk });
  return {
    put(item) {
      const sk = String(item.sk);
      if (ids.size === 0) first = item;
      if (!ids.has(sk)) sorted.add(sk);
      ids.add(sk);
    },
    get: (sk) => (ids.has(sk) ? made(sk) : undefined),
    page: (from, isAfter, limit) => sorted.from(from, isAfter, limit).map(made),
    writeUnits: () => 1,
    readUnits: (items) => blocks(items.length * WRITE_BYTES, READ_BYTES),
  };
}

function wholeItems(): Collection {
  const items = new Map<string, Item>();
  const sorted = sortedKeys();
  return {
    put(item) {
      const sk = String(item.sk);
      if (!items.has(sk)) sorted.add(sk);
      items.set(sk, item);
    },
    get: (sk) => items.get(sk),
    page: (from, isAfter, limit) =>
      sorted
        .from(from, isAfter, limit)
        .map((sk) => items.get(sk))
        .filter((item) => item !== undefined),
    writeUnits: (item) => blocks(bytesOf(item), WRITE_BYTES),
    readUnits: (items) => blocks(sum(items.map(bytesOf)), READ_BYTES),
  };
}

const KINDS: [suffix: string, make: () => Collection][] = [
  ['#ENTITIES', recordsLike],
  ['#CHANGES', wholeItems],
  ['#CHANGED', wholeItems],
];

/** The collections by partition key; undefined for any other partition. */
export function recordCollections(): (pk: unknown) => Collection | undefined {
  const known = new Map<string, Collection>();
  return (pk) => {
    const key = String(pk);
    const kind = KINDS.find(([suffix]) => key.endsWith(suffix));
    if (!kind) return undefined;
    const collection = known.get(key) ?? kind[1]();
    known.set(key, collection);
    return collection;
  };
}

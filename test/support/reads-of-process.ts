// Replaces the loader that batches the reads of a process: simulated processes share a thread, and the death of one
// must not affect the reads of another.
import { currentProcess } from './faults.ts';

interface Joined<Key, Value> {
  keys: Key[];
  values: Promise<Value[]>;
}

/** Batches the simultaneous reads of one simulated process. */
export default class ReadsOfProcess<Key, Value> {
  readonly #read: (keys: Key[]) => Promise<Value[]>;
  readonly #joined = new Map<unknown, Joined<Key, Value>>();

  readonly #most: number;

  constructor(read: (keys: Key[]) => Promise<Value[]>, { maxBatchSize }: { maxBatchSize: number }) {
    this.#read = read;
    this.#most = maxBatchSize;
  }

  async load(key: Key): Promise<Value | undefined> {
    const reader = currentProcess();
    const present = this.#joined.get(reader);
    const joined = present && present.keys.length < this.#most ? present : this.#begin(reader);
    const index = joined.keys.push(key) - 1;
    return (await joined.values)[index];
  }

  clear(): void {}

  #begin(reader: unknown): Joined<Key, Value> {
    const keys: Key[] = [];
    const values = Promise.resolve().then(() => {
      if (this.#joined.get(reader) === joined) this.#joined.delete(reader);
      return this.#read(keys);
    });
    const joined: Joined<Key, Value> = { keys, values };
    this.#joined.set(reader, joined);
    return joined;
  }
}

// Environments of functions as AWS has them, for tests: each has its own disk and its own connections, serves one
// invocation at a time, and is frozen between two.
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What each environment gets. */
export interface EnvironmentOptions {
  disk_bytes: number;
}

/** The disk of one environment. */
export interface Disk {
  folder: string;
  limit_bytes: number;
}

/**
 * Makes the disk of each new environment of a function. It is empty, unless the service was restarted: then the first
 * environments find the disks of before, as those that stay warm do.
 */
export function createDisks(folder: string, { disk_bytes }: EnvironmentOptions): (name: string) => Disk {
  const made = new Map<string, number>();
  return (name) => {
    const number = (made.get(name) ?? 0) + 1;
    made.set(name, number);
    const own = join(folder, name, String(number));
    mkdirSync(own, { recursive: true });
    return { folder: own, limit_bytes: disk_bytes };
  };
}

/** Throws if there is more on a disk than it takes. Writes beyond that fail on AWS; here the end of a call shows it. */
export function checkDisk({ folder, limit_bytes }: Disk): void {
  const bytes = bytesOn(folder);
  if (bytes > limit_bytes) throw new Error(`no space left on device: ${bytes} of ${limit_bytes} bytes`);
}

/** How much is on a disk. */
export function bytesOn(folder: string): number {
  return readdirSync(folder)
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

const RUNS = 0;
const FROZEN = 1;

/** Stops and continues a thread as a whole, with its timers and connections. */
export interface Freezer {
  /** Shared with the thread. */
  state: Int32Array;
  freeze(): void;
  thaw(): void;
}

/** Creates one for a thread that runs. */
export function createFreezer(): Freezer {
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return {
    state,
    freeze: () => void Atomics.store(state, 0, FROZEN),
    thaw() {
      Atomics.store(state, 0, RUNS);
      Atomics.notify(state, 0);
    },
  };
}

/** Stops this thread until it is thawed; returns at once if it already is. */
export function waitFrozen(state: Int32Array): void {
  Atomics.wait(state, 0, FROZEN);
}

// The order of commits across threads: whose turn it is to write, and up to which commit the file is on disk.

/** Memory that all threads on one file share: whose turn it is, three counters of commits, one of erasures. */
export type SharedOrder = Int32Array;

const TURN = 0;
const BEGUN = 1;
const DONE = 2;
const SYNCED = 3;
const ERASED = 4;
const COUNTERS = 5;
const FREE = 0;
/**
 * After this time a writer proceeds without the turn, because the thread that has it may have been killed. SQLite's
 * own lock then decides.
 */
const TURN_MS = 100;

export interface CommitOrder {
  /** Runs a commit while no other thread does. The turn only saves waiting: SQLite's lock is what separates commits. */
  inTurn<T>(commit: () => T): T;
  /** Numbers a commit that has SQLite's lock. Called before it ends: what a reader sees must already have a number. */
  begin(): number;
  /** Marks a commit as ended. All earlier ones have ended, too, or never will. */
  end(commit: number): void;
  /** Whether everything that a reader can have seen is on disk. */
  isSynced(): boolean;
  /** The last ended commit: a sync that starts now covers it. */
  ended(): number;
  /** Marks everything up to that commit as on disk. */
  setSynced(commit: number): void;
  /** Counts an erasure, whose traces `forgetErased` removes from the file. */
  addErased(): void;
  /** The erasures so far. */
  erased(): number;
}

/** Creates the shared counters. */
export function createSharedOrder(): SharedOrder {
  return new Int32Array(new SharedArrayBuffer(COUNTERS * Int32Array.BYTES_PER_ELEMENT));
}

/** Releases the turn of a thread that has ended, so that no other thread waits for it. */
export function releaseTurn(shared: SharedOrder, holder: number): void {
  if (Atomics.compareExchange(shared, TURN, holder, FREE) === holder) Atomics.notify(shared, TURN, 1);
}

/** The order for one thread. `holder` identifies it and is not zero. */
export function openCommitOrder(shared: SharedOrder, holder: number): CommitOrder {
  function takeTurn(): boolean {
    const until = Date.now() + TURN_MS;
    for (;;) {
      const present = Atomics.compareExchange(shared, TURN, FREE, holder);
      if (present === FREE) return true;
      const left = until - Date.now();
      if (left <= 0) return false;
      Atomics.wait(shared, TURN, present, left);
    }
  }

  return {
    inTurn(commit) {
      const hasTurn = takeTurn();
      try {
        return commit();
      } finally {
        if (hasTurn) releaseTurn(shared, holder);
      }
    },
    begin: () => Atomics.add(shared, BEGUN, 1) + 1,
    end: (commit) => raise(shared, DONE, commit),
    isSynced: () => isUpTo(Atomics.load(shared, SYNCED), Atomics.load(shared, BEGUN)),
    ended: () => Atomics.load(shared, DONE),
    setSynced: (commit) => raise(shared, SYNCED, commit),
    addErased: () => void Atomics.add(shared, ERASED, 1),
    erased: () => Atomics.load(shared, ERASED),
  };
}

/** Whether a counter has reached a commit. The difference is correct across wrap-around. */
const isUpTo = (counter: number, commit: number) => ((commit - counter) | 0) <= 0;

function raise(shared: SharedOrder, counter: number, to: number): void {
  for (;;) {
    const present = Atomics.load(shared, counter);
    if (isUpTo(present, to) || Atomics.compareExchange(shared, counter, present, to) === present) return;
  }
}

// The order of commits among threads: writers take turns, and everybody knows how far the file is on disk.

/** What all threads on one file share, in memory: whose turn it is, and three counters of commits. */
export type SharedOrder = Int32Array;

const TURN = 0;
const BEGUN = 1;
const DONE = 2;
const SYNCED = 3;
const COUNTERS = 4;
const FREE = 0;
/**
 * After so long a writer goes on without the turn: SQLite's own lock decides then. A thread that was ended may have
 * kept it.
 */
const TURN_MS = 100;

export interface CommitOrder {
  /**
   * Carries out a commit while no other thread does. The turn only saves waiting: what keeps commits apart is SQLite's
   * lock.
   */
  inTurn<T>(commit: () => T): T;
  /**
   * Numbers a commit that holds SQLite's lock. Called before its end: what a reader sees must have its number already.
   */
  begin(): number;
  /** Tells that a commit has ended; those before it have, too, or never will. */
  end(commit: number): void;
  /** Whether everything that a reader can have seen is on disk. */
  isSynced(): boolean;
  /** The last commit that has ended: what a sync that starts now brings to disk. */
  ended(): number;
  /** Tells that everything up to that commit is on disk. */
  setSynced(commit: number): void;
}

/** Makes the counters. */
export function createSharedOrder(): SharedOrder {
  return new Int32Array(new SharedArrayBuffer(COUNTERS * Int32Array.BYTES_PER_ELEMENT));
}

/** Takes the turn from a thread that has ended, so that nobody waits for it. */
export function releaseTurn(shared: SharedOrder, holder: number): void {
  if (Atomics.compareExchange(shared, TURN, holder, FREE) === holder) Atomics.notify(shared, TURN, 1);
}

/** The order as one thread sees it. `holder` names the thread, and is not zero. */
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
  };
}

/** Whether a counter has come as far as a commit. The difference is right also where counters have begun anew. */
const isUpTo = (counter: number, commit: number) => ((commit - counter) | 0) <= 0;

function raise(shared: SharedOrder, counter: number, to: number): void {
  for (;;) {
    const present = Atomics.load(shared, counter);
    if (isUpTo(present, to) || Atomics.compareExchange(shared, counter, present, to) === present) return;
  }
}

// Makes commits survive a loss of power: one fdatasync of the write-ahead log for all that wait at a time.
import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import type { CommitOrder } from './commit-order.ts';

/** Brings what was written to an open file to the disk. */
export type Sync = (file: number) => Promise<void>;

const toDisk: Sync = promisify(fdatasync);

export interface DurableCommits {
  /**
   * Resolves once everything that this thread has read or written so far is on disk. Rejects when the disk fails:
   * nothing may be acknowledged then.
   */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Watches over the log of a database file. The log is never a file that SQLite locks, so it may be opened and closed
 * beside it.
 */
export function openDurableCommits(
  databaseFile: string,
  order: CommitOrder,
  sync: Sync = toDisk,
): DurableCommits {
  let file: Promise<number> | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function syncNow(): Promise<void> {
    const commit = order.ended();
    file ??= promisify(open)(`${databaseFile}-wal`, 'r+');
    await sync(await file);
    order.setSynced(commit);
  }

  function begin(): Promise<void> {
    running = syncNow().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    async settled() {
      if (order.isSynced()) return;
      if (!running) return begin();
      // One that runs already may have begun before the commit; the next serves all who ask meanwhile.
      next ??= running
        .catch(() => {})
        .then(() => {
          next = undefined;
          return begin();
        });
      return next;
    },
    async close() {
      await Promise.allSettled([next, running]);
      if (file) await promisify(close)(await file);
    },
  };
}

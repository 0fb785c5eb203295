// Makes commits survive a power loss: one fdatasync of the write-ahead log for all that wait at the same time.
import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import type { CommitOrder } from './commit-order.ts';

/** Flushes an open file to disk. */
export type Sync = (file: number) => Promise<void>;

const toDisk: Sync = promisify(fdatasync);

export interface DurableCommits {
  /**
   * Resolves once everything that this thread has read or written is on disk. Rejects when the disk fails: then nothing
   * may be acknowledged.
   */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Syncs the log of a database file. SQLite never locks the log, so opening and closing it a second time is safe. */
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
      // A running sync may have started before the commit; the next one serves all callers that arrive until it starts.
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

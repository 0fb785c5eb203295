// The engine's file: one SQLite database in WAL mode. Each thread has its own connection.
import { DatabaseSync } from 'node:sqlite';
import { unusable } from '../../files/sqlite-file.ts';
import { SetupError } from '../../setup-error.ts';
import type { CommitOrder } from './commit-order.ts';

export interface Database {
  sqlite: DatabaseSync;
  /** Runs reads on one snapshot. */
  reading<T>(work: () => T): T;
  /** Runs reads and writes, all or none. */
  writing<T>(work: () => T): T;
  /** Rewrites the file, if that takes less than a second, and empties its log. Throws when the file is busy. */
  compact(): void;
  close(): void;
}

/** "dyno" in ASCII: distinguishes this engine's files from others. */
const APPLICATION_ID = 0x64796e6f;
const VERSION = 1;
/** Far longer than a commit takes; a backup by another process may lock the file for a moment. */
const BUSY_MS = 10_000;
const CACHE_KIB = 2_000;
/** A file of this size is rewritten in about half a second, in which no thread can write. */
const REWRITTEN_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Opens a file, or creates it with `schema`; `:memory:` is private to this connection. Throws SetupError for a file
 * that is damaged, of a newer version, not a database of this engine, or not writable.
 */
export function openDatabase(file: string, schema: string, order: CommitOrder | undefined): Database {
  let sqlite: DatabaseSync | undefined;
  try {
    sqlite = new DatabaseSync(file, { timeout: BUSY_MS });
    prepareFile(sqlite, file, schema);
  } catch (error) {
    sqlite?.close();
    throw unusable(error, file);
  }
  const opened = sqlite;
  const begin = opened.prepare('BEGIN');
  const beginWriting = opened.prepare('BEGIN IMMEDIATE');
  const commit = opened.prepare('COMMIT');
  const rollback = opened.prepare('ROLLBACK');

  function rollBack(): void {
    // A full disk rolls back the transaction by itself.
    if (opened.isTransaction) rollback.run();
  }

  function write<T>(work: () => T): T {
    beginWriting.run();
    try {
      const number = order?.begin();
      const result = work();
      commit.run();
      if (number !== undefined) order?.end(number);
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  return {
    sqlite: opened,
    reading(work) {
      begin.run();
      try {
        return work();
      } finally {
        rollBack();
      }
    },
    writing: (work) => (order ? order.inTurn(() => write(work)) : write(work)),
    compact() {
      const size = opened.prepare(
        'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
      );
      const rewrite = Number(size.get()?.bytes) <= REWRITTEN_MAX_BYTES;
      const empty = () => {
        if (rewrite) opened.exec('VACUUM');
        const { busy } = opened.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
        if (busy !== 0) throw new Error('the log is in use');
      };
      if (order) order.inTurn(empty);
      else empty();
    },
    close: () => opened.close(),
  };
}

function prepareFile(sqlite: DatabaseSync, file: string, schema: string): void {
  const pragma = (name: string) => Number(Object.values(sqlite.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const isNew = pragma('schema_version') === 0;
  if (!isNew && pragma('application_id') !== APPLICATION_ID)
    throw new SetupError(`${file} is not of this engine: move it away, or start with --reset`);
  if (pragma('user_version') > VERSION)
    throw new SetupError(
      `${file} was written by a newer version of the service: start that version, or another --data-dir`,
    );
  // Overwrites deleted content with zeros. Commits reach the disk in groups (durable-commits.ts), not one by one.
  sqlite.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;
    PRAGMA cache_size = -${CACHE_KIB}`);
  if (isNew)
    sqlite.exec(`BEGIN IMMEDIATE; ${schema}; PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${VERSION}; COMMIT`);
}

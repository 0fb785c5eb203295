// Size-bounded log files: a full one is renamed to `.1`, replacing the previous one.
import { type FileHandle, open, rename } from 'node:fs/promises';

/** A log file of at most about twice `limitBytes`. */
export interface Log {
  write(chunk: Buffer | string): void;
  /** Resolves when everything written so far is on disk. */
  flushed(): Promise<void>;
}

const LIMIT_BYTES = 8 * 1024 * 1024;
/** An idle log is closed after this time, so that later lines reach a new file if this one was moved or deleted. */
const REST_MS = 1_000;

/** Opens a log in an existing folder. Write errors are ignored: a log must never stop the service. */
export function createLog(file: string, limitBytes: number = LIMIT_BYTES): Log {
  let waiting: Buffer[] = [];
  let tail = Promise.resolve();
  let handle: FileHandle | undefined;
  let size = 0;
  let resting: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    const chunk = Buffer.concat(waiting);
    waiting = [];
    await reopen();
    if (size > 0 && size + chunk.length > limitBytes) {
      // Some platforms cannot rename an open file.
      await close();
      await rename(file, `${file}.1`);
      await reopen();
    }
    await handle?.appendFile(chunk);
    size += chunk.length;
  }

  async function reopen(): Promise<void> {
    if (handle) return;
    handle = await open(file, 'a');
    ({ size } = await handle.stat());
  }

  async function close(): Promise<void> {
    const closing = handle;
    handle = undefined;
    await closing?.close();
  }

  /** Runs `work` after all earlier work. After a failure the file is opened again. */
  function afterwards(work: () => Promise<void>): void {
    tail = tail.then(work).catch(() => close().catch(() => {}));
  }

  function write(chunk: Buffer | string): void {
    waiting.push(Buffer.from(chunk));
    if (waiting.length === 1) afterwards(flush);
    resting = resting?.refresh() ?? setTimeout(() => afterwards(close), REST_MS).unref();
  }

  return { write, flushed: () => tail };
}

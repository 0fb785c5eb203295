// Size-bounded log files: a full one is renamed to `.1`, which replaces the one before.
import { appendFile, rename, stat } from 'node:fs/promises';

/** A log file that keeps at most about twice `limitBytes` on disk. */
export interface Log {
  write(chunk: Buffer | string): void;
  /** Resolves when everything written so far is on disk. */
  flushed(): Promise<void>;
}

const LIMIT_BYTES = 8 * 1024 * 1024;

/** Opens a log; its folder must exist. Write errors are ignored: a log must never stop the service. */
export function createLog(file: string, limitBytes: number = LIMIT_BYTES): Log {
  let waiting: Buffer[] = [];
  let tail = Promise.resolve();
  let size: number | undefined;

  async function flush(): Promise<void> {
    const chunk = Buffer.concat(waiting);
    waiting = [];
    size ??= await stat(file).then(
      (found) => found.size,
      () => 0,
    );
    if (size > 0 && size + chunk.length > limitBytes) {
      await rename(file, `${file}.1`);
      size = 0;
    }
    await appendFile(file, chunk);
    size += chunk.length;
  }

  function write(chunk: Buffer | string): void {
    waiting.push(Buffer.from(chunk));
    if (waiting.length === 1) tail = tail.then(flush).catch(() => {});
  }

  return { write, flushed: () => tail };
}

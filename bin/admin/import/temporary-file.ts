// Stores on disk what an import cannot fit in memory.
import { randomUUID } from 'node:crypto';
import { appendFile, createReadStream, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Reads the same bytes from the start each time. */
export type Bytes = () => AsyncIterable<Buffer>;

export interface TemporaryFile {
  append(content: string | Buffer): Promise<void>;
  read: Bytes;
}

const append = promisify(appendFile);

/** An unlinked file: it disappears with the process. */
export function temporaryFile(): TemporaryFile {
  const path = join(tmpdir(), `admin-import-${randomUUID()}`);
  const fd = openSync(path, 'ax+', 0o600);
  rmSync(path);
  return {
    append: (content) => append(fd, content),
    read: () => createReadStream('', { fd, start: 0, autoClose: false }),
  };
}

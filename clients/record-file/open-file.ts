// A file of this machine for the reader of records.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { FileProblem } from './file-problem.ts';
import type { OpenFile } from './file-text.ts';

/** The file with its present length, however it grows. Throws FileProblem for what cannot be read more than once. */
export async function openFile(path: string): Promise<OpenFile> {
  const found = await stat(path).catch((error: unknown) => {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new FileProblem(isAbsent ? 'there is no such file.' : `it cannot be read: ${String(error)}`);
  });
  if (!found.isFile()) throw new FileProblem('it is no regular file: save it first, then name it.');
  return {
    name: path,
    async *bytes() {
      if (found.size > 0) yield* createReadStream(path, { end: found.size - 1 });
    },
  };
}

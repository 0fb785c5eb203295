// A folder of files in one compressed file. The bundles of the functions have most of their code in common, and the
// compressor looks back far enough to see it: a tenth of the size, where a package's own compression sees a third.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { filesIn } from './folders-digest.ts';

const NEWLINE = '\n'.charCodeAt(0);

/** The files of a folder: a line of their names and sizes, then their contents. */
export function archiveOf(folder: string): Buffer {
  const files = filesIn(folder, []).map((path) => ({ path, content: readFileSync(path) }));
  const names = files.map(({ path, content }) => [
    relative(folder, path).replaceAll('\\', '/'),
    content.length,
  ]);
  const whole = Buffer.concat([
    Buffer.from(`${JSON.stringify(names)}\n`),
    ...files.map(({ content }) => content),
  ]);
  return brotliCompressSync(whole, {
    params: {
      // Beyond, each step down in size takes several times as long.
      [constants.BROTLI_PARAM_QUALITY]: 6,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
    },
  });
}

/** Writes the files of an archive to a folder. */
export function unpackArchive(archive: Buffer, folder: string): void {
  const whole = brotliDecompressSync(archive);
  let at = whole.indexOf(NEWLINE) + 1;
  const names: [string, number][] = JSON.parse(whole.toString('utf8', 0, at));
  for (const [name, size] of names) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, whole.subarray(at, at + size));
    at += size;
  }
}

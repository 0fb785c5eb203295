// The names and sizes of the files of a folder, which show that a copy or a build is whole.
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A digest of them: a power cut may leave empty files behind. Entries named in `leftOut` do not count. */
export function foldersDigest(folder: string, leftOut: readonly string[]): string {
  const digest = createHash('sha256');
  for (const path of filesIn(folder, leftOut))
    digest.update(`${relative(folder, path)}\0${statSync(path).size}\0`);
  return digest.digest('hex');
}

/** The files below a folder, in a stable order. */
export function filesIn(folder: string, leftOut: readonly string[]): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !leftOut.includes(name));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, leftOut);
    return entry.isFile() ? [path] : [];
  });
}

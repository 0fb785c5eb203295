// The functions in the data folder: unpacked from the program, so that an update of it does not change a running
// service, and what is compiled of them has a folder (rules.md: local 2).
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unpackArchive } from '../files/archive.ts';
import { foldersDigest } from '../files/folders-digest.ts';
import { replaceFile } from '../files/replace-file.ts';
import { SetupError } from '../setup-error.ts';

const INSTALLED = 'made-from.txt';
/** Not of the assembly: thread caches next to bundles, and the file written last. */
const LEFT_OUT = ['compile-cache', INSTALLED];
const MB = 1024 * 1024;
/** An assembly, its compile cache and the first records. */
const ROOM_BYTES = 60 * MB;

/** The file of a program that has the assembly. */
export const ASSEMBLY = 'assembly.br';

/** Makes `outdir` the assembly of a program, unless it is, and returns it. Throws SetupError without room for it. */
export function installAssembly(program: string, outdir: string, roomBytes = ROOM_BYTES): string {
  const file = join(outdir, INSTALLED);
  const archive = readFileSync(join(program, ASSEMBLY));
  const source = createHash('sha256').update(archive).digest('hex');
  const digest = () => `archive ${source}\nfiles ${foldersDigest(outdir, LEFT_OUT)}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === digest()) return outdir;
  // First, so that an interrupted start is never mistaken for a complete one.
  rmSync(file, { force: true });
  rmSync(outdir, { recursive: true, force: true });
  checkRoom(dirname(outdir), roomBytes);
  unpackArchive(archive, outdir);
  replaceFile(file, digest());
  return outdir;
}

/** A full disk has many error messages, so it is checked first. Throws SetupError. */
function checkRoom(folder: string, needed: number): void {
  const { blocks, bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  // Some file systems report no size.
  if (blocks === 0 || free >= needed) return;
  const mb = (bytes: number) => `${Math.floor(bytes / MB)} MB`;
  throw new SetupError(
    `the disk is full: ${folder} has room for ${mb(free)}, and a start needs ${mb(needed)}`,
  );
}

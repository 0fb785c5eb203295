// The cloud assembly in the data folder, synthesized again only when its sources have changed (rules.md: local 2).
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replaceFile } from '../files/replace-file.ts';
import { SetupError } from '../setup-error.ts';
import { type SynthOptions, synthesize } from './synth.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDERS = ['functions', 'lib', 'clients'];
/** The second lock file records what is installed, whatever the first one requests. */
const FILES = [
  'cdk.json',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
];
const MADE_FROM = 'made-from.txt';
/** Skipped: packages (the lock files cover them), thread caches next to bundles, and the file written last. */
const LEFT_OUT = ['node_modules', 'compile-cache', MADE_FROM];
const MB = 1024 * 1024;
/** An assembly, its compile cache and the first records. */
const ROOM_BYTES = 60 * MB;

export interface CachedAssembly extends SynthOptions {
  /** For tests: the project's folder, the synthesizer, and the required space. */
  root?: string;
  make?: (options: SynthOptions) => Promise<void>;
  roomBytes?: number;
}

/** Makes `outdir` the assembly of the current sources and returns it. Throws SetupError. */
export async function cachedAssembly({
  root = project,
  make = synthesize,
  roomBytes = ROOM_BYTES,
  ...options
}: CachedAssembly) {
  const { outdir } = options;
  const file = join(outdir, MADE_FROM);
  // Read before the synth: the next start sees a file that is edited during it.
  const sources = digestOfSources(root, options);
  if (existsSync(file) && readFileSync(file, 'utf8') === madeFrom(sources, outdir)) return outdir;
  // First, so that an interrupted synth is never mistaken for a complete one.
  rmSync(file, { force: true });
  rmSync(outdir, { recursive: true, force: true });
  checkRoom(dirname(outdir), roomBytes);
  await make(options);
  replaceFile(file, madeFrom(sources, outdir));
  return outdir;
}

/** A full disk has many error messages in the synth's tools, so it is checked first. Throws SetupError. */
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

/** The sources of the assembly and the sizes of its files: a power cut may leave empty files behind. */
function madeFrom(sources: string, outdir: string): string {
  const made = createHash('sha256');
  for (const path of filesIn(outdir)) made.update(`${relative(outdir, path)}\0${statSync(path).size}\0`);
  return `sources ${sources}\nfiles ${made.digest('hex')}\n`;
}

/** Contents, not times: hashing takes 25 ms, and a checkout gives old contents new times. */
function digestOfSources(root: string, { context, allowLocalCallbacks }: SynthOptions): string {
  const { version, platform, arch } = process;
  const digest = createHash('sha256');
  digest.update(JSON.stringify([version, platform, arch, context, allowLocalCallbacks]));
  const files = FILES.map((name) => join(root, name)).filter((path) => existsSync(path));
  for (const path of [...files, ...FOLDERS.flatMap((name) => filesIn(join(root, name)))]) {
    const content = readFileSync(path);
    digest.update(`${path}\0${content.length}\0`).update(content);
  }
  return digest.digest('hex');
}

/** The files below a folder, in a stable order. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !LEFT_OUT.includes(name));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

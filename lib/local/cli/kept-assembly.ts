// The cloud assembly of the data folder: synthesized again only when something that goes into it has changed
// (rules.md: local 2).
import { createHash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from '../setup-error.ts';
import { type SynthOptions, synthesize } from './synth.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDERS = ['functions', 'lib', 'clients'];
/** The second lock file tells what is installed, whatever the first one asks for. */
const FILES = [
  'cdk.json',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
];
const MADE_FROM = 'made-from.txt';
/** Packages, of which the lock files tell; what threads leave beside their bundles; and what is written last. */
const LEFT_OUT = ['node_modules', 'compile-cache', MADE_FROM];
const MB = 1024 * 1024;
/** An assembly, what is compiled of it, and the first records. */
const ROOM_BYTES = 60 * MB;

export interface KeptAssembly extends SynthOptions {
  /** The rest is as said, but for tests: the project's folder, what makes an assembly, and the room that it takes. */
  root?: string;
  make?: (options: SynthOptions) => Promise<void>;
  roomBytes?: number;
}

/** Makes `outdir` the assembly of the sources as they are now, and returns it. Throws SetupError. */
export async function keptAssembly({
  root = project,
  make = synthesize,
  roomBytes = ROOM_BYTES,
  ...options
}: KeptAssembly) {
  const { outdir } = options;
  const file = join(outdir, MADE_FROM);
  // Read before the synth: a file that is edited meanwhile is seen by the next start.
  const sources = digestOfSources(root, options);
  if (existsSync(file) && readFileSync(file, 'utf8') === madeFrom(sources, outdir)) return outdir;
  // First, so that nothing that is cut short from here on is ever taken for whole.
  rmSync(file, { force: true });
  rmSync(outdir, { recursive: true, force: true });
  checkRoom(dirname(outdir), roomBytes);
  await make(options);
  writeFileSync(`${file}.new`, madeFrom(sources, outdir));
  renameSync(`${file}.new`, file);
  return outdir;
}

/** The tools that make an assembly have many ways to say that a disk is full. Throws SetupError. */
function checkRoom(folder: string, needed: number): void {
  const { blocks, bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  // Some file systems tell nothing of their size.
  if (blocks === 0 || free >= needed) return;
  const mb = (bytes: number) => `${Math.floor(bytes / MB)} MB`;
  throw new SetupError(
    `the disk is full: ${folder} has room for ${mb(free)}, and a start needs ${mb(needed)}`,
  );
}

/** What the assembly was made from, and the sizes of what was made: a power cut may leave empty files behind. */
function madeFrom(sources: string, outdir: string): string {
  const made = createHash('sha256');
  for (const path of filesIn(outdir)) made.update(`${path}\0${statSync(path).size}\0`);
  return `sources ${sources}\nfiles ${made.digest('hex')}\n`;
}

/** Contents, not times: they take 25 ms, and a checkout gives old contents new times. */
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

/** The files in a folder and below it, always in the same order. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !LEFT_OUT.includes(name));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

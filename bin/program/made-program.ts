// The local service as `npm start` and the package run it: built in dist/local, and again only when its sources have
// changed (rules.md: local 2).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn, foldersDigest } from '../../lib/local/files/folders-digest.ts';
import { programFolder } from '../../lib/local/program-folder.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['functions', 'lib', 'clients', 'bin'];
/** The second lock file records what is installed, whatever the first one requests. */
const FILES = [
  'cdk.json',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
];
const MADE_FROM = 'made-from.txt';
/** Skipped: packages (the lock files cover them) and what is built of clients. */
const NO_SOURCES = ['node_modules', 'dist', 'build', '__pycache__'];

interface Options {
  /** The project's folder, that of the program, and who builds it. */
  root: string;
  folder: string;
  build: (folder: string) => Promise<void>;
  /** Says why it takes a while. */
  say: (line: string) => void;
}

const defaults: Options = {
  root: project,
  folder: programFolder,
  // Loaded only where something is to build.
  build: async (folder) => (await import('./build-program.ts')).buildProgram(folder),
  say: (line) => process.stderr.write(`${line}\n`),
};

/** Whether the program is that of the current sources. */
export function isProgramCurrent({ root, folder }: Pick<Options, 'root' | 'folder'> = defaults): boolean {
  const file = join(folder, MADE_FROM);
  return existsSync(file) && readFileSync(file, 'utf8') === madeFrom(digestOfSources(root), folder);
}

/** Builds the program, unless it is current, and returns its folder. */
export async function madeProgram(given: Partial<Options> = {}): Promise<string> {
  const options = { ...defaults, ...given };
  const { root, folder, build, say } = options;
  if (isProgramCurrent(options)) return folder;
  say('Bundling the functions (once, about 10 s) …');
  // Read before the build: the next start sees a file that is edited during it.
  const sources = digestOfSources(root);
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  try {
    await build(fresh);
    writeFileSync(join(fresh, MADE_FROM), madeFrom(sources, fresh), { flush: true });
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } catch (error) {
    // Another process may have put its own there in the meantime.
    if (!isProgramCurrent(options)) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

const madeFrom = (sources: string, folder: string) =>
  `sources ${sources}\nfiles ${foldersDigest(folder, [MADE_FROM])}\n`;

/** Contents, not times: hashing takes 25 ms, and a checkout gives old contents new times. */
function digestOfSources(root: string): string {
  const digest = createHash('sha256');
  const files = FILES.map((name) => join(root, name)).filter((path) => existsSync(path));
  const folders = FOLDERS.map((name) => join(root, name)).filter((path) => existsSync(path));
  for (const path of [...files, ...folders.flatMap((folder) => filesIn(folder, NO_SOURCES))]) {
    const content = readFileSync(path);
    digest.update(`${relative(root, path)}\0${content.length}\0`).update(content);
  }
  return digest.digest('hex');
}

// Makes the packages: each is built, copied and packed on its own, then all take the place of those before.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeProgram } from '../program/made-program.ts';
import type { PackArguments } from './arguments.ts';
import { buildCdk } from './cdk/build-cdk.ts';
import { copyPackage, projectIn } from './package-folder.ts';
import { makeTemplate } from './template/make-template.ts';
import { packWheel } from './wheel.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** npm programs are shell scripts on Windows. */
const shell = process.platform === 'win32';

/** The Python client, which is no package of npm. */
const WHEEL = 'wheel';

/** The packages of npm, and how each is built: in an empty folder that it gets, or in its own. Returns the folder. */
const packages: Readonly<Record<string, (empty: string) => Promise<string>>> = {
  service: () => madeProgram(),
  async cdk(empty) {
    await buildCdk(empty);
    return empty;
  },
  async client() {
    // The build leaves what an earlier one wrote.
    rmSync(join(root, 'clients/sdk/dist'), { recursive: true, force: true });
    npm(['run', 'build', '-w', 'run-service-client']);
    return join(root, 'clients/sdk');
  },
};

/** Writes the packages to `folder`, and removes what an earlier pack has left there. Returns the names of the files. */
export async function pack(
  { scope, template: bucketPrefix }: PackArguments,
  folder: string,
  names = [...Object.keys(packages), WHEEL],
): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'run-service-pack-'));
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  // A temporary folder is its owner's alone; this one is for all who publish or install from it.
  chmodSync(fresh, 0o755);
  try {
    for (const [name, build] of Object.entries(packages)) {
      if (!names.includes(name)) continue;
      const to = join(scratch, name);
      copyPackage({ from: await build(mkdtempSync(`${to}-`)), to, root, scope });
      npm(['pack', to, '--pack-destination', fresh, '--ignore-scripts', '--offline']);
    }
    if (names.includes(WHEEL))
      packWheel({ from: join(root, 'clients/python'), to: fresh, ...projectIn(root), scope });
    if (bucketPrefix !== undefined) {
      const { version } = projectIn(root);
      makeTemplate({ functions: join(scratch, 'cdk/functions'), to: fresh, version, bucketPrefix });
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
    return readdirSync(folder);
  } finally {
    for (const left of [scratch, fresh]) rmSync(left, { recursive: true, force: true });
  }
}

function npm(args: string[]): void {
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], shell });
}

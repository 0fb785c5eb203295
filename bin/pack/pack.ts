// Makes the packages: each is built, copied and packed on its own, then all take the place of those before.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeProgram } from '../program/made-program.ts';
import type { PackArguments } from './arguments.ts';
import { copyPackage, projectIn } from './package-folder.ts';
import { packWheel } from './wheel.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** npm programs are shell scripts on Windows. */
const shell = process.platform === 'win32';

/** The packages, and how each is built; the result is its folder. */
const packages: Readonly<Record<string, () => Promise<string>>> = {
  service: madeProgram,
  async client() {
    // The build leaves what an earlier one wrote.
    rmSync(join(root, 'clients/sdk/dist'), { recursive: true, force: true });
    npm(['run', 'build', '-w', 'run-service-client']);
    return join(root, 'clients/sdk');
  },
};

/** Writes the packages to `folder`, and removes what an earlier pack has left there. Returns their names. */
export async function pack({ scope }: PackArguments, folder: string): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'run-service-pack-'));
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  try {
    for (const [name, build] of Object.entries(packages)) {
      const to = join(scratch, name);
      copyPackage({ from: await build(), to, root, scope });
      npm(['pack', to, '--pack-destination', fresh, '--ignore-scripts', '--offline']);
    }
    packWheel({ from: join(root, 'clients/python'), to: fresh, ...projectIn(root), scope });
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

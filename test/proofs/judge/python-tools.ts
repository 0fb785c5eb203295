// Programs of the Python registry, with their versions: installed once, beside the project's packages.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Installs the packages (`name==version`), unless an earlier run has; returns the folder of their programs. */
export function pythonTools(packages: readonly string[]): string {
  const folder = fileURLToPath(
    new URL(`../../../node_modules/.cache/${packages.join('+')}`, import.meta.url),
  );
  // Half an installation must not be taken for a whole one.
  const whole = join(folder, 'whole');
  if (!existsSync(whole)) {
    rmSync(folder, { recursive: true, force: true });
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { stdio: ['ignore', 2, 2] });
    run('python3', '-m', 'venv', folder);
    run(join(folder, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', ...packages);
    writeFileSync(whole, '');
  }
  return join(folder, 'bin');
}

// `npm run tools`: installs what tests, checks and campaigns need beyond what `npm ci` brings. Their commands begin
// with it.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installTools } from './tools/install-tools.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** `--no-save`: the lock file decides, and stays. */
const args = ['install', '--include=dev', '--no-save', '--prefer-offline', '--no-audit', '--no-fund'];

/** npm prints to stderr: the output of the command that needs the tools stays clean. */
function npmInstall(): void {
  // npm programs are shell scripts on Windows.
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
}

try {
  installTools({ root, npmInstall, say: (line) => process.stderr.write(`${line}\n`) });
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `The tools of tests and checks are not installed (${reason}): npm needs its registry for them.\n`,
  );
  process.exitCode = 2;
}

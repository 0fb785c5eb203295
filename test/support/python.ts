// The machine's Python, for the tests of the Python client. Without one, they are skipped by name.
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const folder = join(import.meta.dirname, '../../clients/python');
const IS_NEW_ENOUGH = 'import sys; sys.exit(sys.version_info < (3, 10))';

/** Whether `python3` is one that the client supports. */
export const hasPython = spawnSync('python3', ['-c', IS_NEW_ENOUGH]).status === 0;

/** Runs `python3` with this repository's client, in the client's folder; returns what it prints. Rejects when it fails. */
export async function python(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const environment = { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1', ...env };
  const options = { cwd: folder, env: environment, maxBuffer: 64 * 1_048_576 };
  const { stdout, stderr } = await promisify(execFile)('python3', args, options);
  return stdout + stderr;
}

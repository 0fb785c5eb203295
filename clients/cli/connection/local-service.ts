// The service on this machine: its `local.json` has the address and key.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from '../problem.ts';
import type { Profile } from './profiles.ts';

/** Address and demo key of the service on a data folder. Throws Problem when none is running or it has no demo key. */
export function localService(folder: string, cwd: string): Profile {
  const file = join(resolve(cwd, folder), 'local.json');
  const { base_url, api_key, pid } = read(file);
  if (typeof base_url !== 'string' || typeof pid !== 'number' || !isAlive(pid)) throw notRunning(file);
  if (typeof api_key !== 'string')
    throw new Problem(
      'key',
      `the service of ${file} has no demo key (--no-seed); make one with the admin command key create`,
    );
  return { base_url, api_key };
}

function read(file: string): Partial<Record<'base_url' | 'api_key' | 'pid', unknown>> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw notRunning(file);
  }
}

/** A killed service leaves its file behind. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function notRunning(file: string): Problem {
  return new Problem(
    'service_away',
    `no local service runs at ${file}; start one, or name its data folder: --local DIR`,
  );
}

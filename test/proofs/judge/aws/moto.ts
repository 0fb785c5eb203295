// moto, a stand-in for AWS that others wrote: installed once from the Python registry, started on loopback.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../support/dynoxide.ts';

const VERSION = '5.2.5';
export const MOTO = `moto[server]==${VERSION}`;
const CACHE = fileURLToPath(new URL(`../../../../node_modules/.cache/moto-${VERSION}`, import.meta.url));
const READY_MS = 60_000;
const LOOK_MS = 200;

/** Installs it, unless an earlier run has. */
function install(): void {
  // Half an installation must not be taken for a whole one.
  const whole = join(CACHE, 'whole');
  if (existsSync(whole)) return;
  rmSync(CACHE, { recursive: true, force: true });
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: ['ignore', 2, 2] });
  run('python3', '-m', 'venv', CACHE);
  run(join(CACHE, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', MOTO);
  writeFileSync(whole, '');
}

/** Starts it with nothing in it. Throws when it does not answer within a minute. */
export async function startMoto(): Promise<{ url: string; stop(): Promise<void> }> {
  install();
  const port = await freePort();
  const python = spawn(join(CACHE, 'bin/moto_server'), ['-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
  });
  const exited = once(python, 'exit');
  const stop = async () => {
    python.kill();
    await exited;
  };
  process.once('exit', () => python.kill());
  const url = `http://127.0.0.1:${port}`;
  const end = Date.now() + READY_MS;
  while (!(await isReady(url))) {
    if (python.exitCode !== null || Date.now() > end) {
      await stop();
      throw new Error('moto does not answer');
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return { url, stop };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/moto-api/`)).ok;
  } catch {
    return false;
  }
}

// The service as `npm start` runs it, in its own process.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Target } from './client.ts';

export interface Started {
  child: ChildProcess;
  target: Target & { workspace_id: string };
  ready_ms: number;
}

/** Starts a service on `dataDir`, as `npm start` does; resolves when it is ready. */
export async function startChild(dataDir: string): Promise<Started> {
  const begun = performance.now();
  const program = ['bin/local.ts', '--data-dir', dataDir, '--port', '0'];
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    const target = written(dataDir);
    // One that was killed leaves its file behind.
    if (target && target.pid === child.pid)
      return { child, target, ready_ms: Math.round(performance.now() - begun) };
    if (child.exitCode !== null) throw new Error('the service did not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function written(dataDir: string): (Started['target'] & { pid: number }) | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'local.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Stops or kills it; resolves when it is gone, also when it was before. */
export async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/** A command of the admin CLI to the service on `dataDir`. */
export async function admin(dataDir: string, ...args: string[]): Promise<Record<string, unknown>> {
  const command = ['bin/admin.ts', ...args, '--data-dir', dataDir];
  // An import names all that it has made.
  const options = { maxBuffer: 256 * 1024 * 1024 };
  return JSON.parse((await promisify(execFile)(process.execPath, command, options)).stdout);
}

/** Lifts every limit of a workspace that a bench could meet. */
export async function liftLimits(dataDir: string, workspaceId: string): Promise<void> {
  const limits = { credits: 1e9, 'max-concurrent-runs': 10_000, 'daily-cost-cap-usd': 1e6 };
  const flags = Object.entries(limits).flatMap(([name, value]) => [`--${name}`, String(value)]);
  await admin(dataDir, 'workspace', 'update', workspaceId, ...flags);
}

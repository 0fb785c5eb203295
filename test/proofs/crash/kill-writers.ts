// Kills a process of writing threads again and again: nothing that it acknowledged is lost, nothing is half done,
// no writer is locked out.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { openEngine } from '../../../lib/local/dynamodb/engine/engine.ts';
import { random } from '../../support/random.ts';
import { type Acknowledged, breachesIn } from './crash-table.ts';

export interface KillReport {
  kills: number;
  terminations: number;
  acknowledged: number;
  breaches: string[];
}

const LONGEST_MS = 60;
/** A writer without progress for this long is locked out. */
const LOCKED_OUT_MS = 10_000;

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** `terminations`: of threads, in each life of the process. */
export async function killWriters(kills: number, terminations: number, seed: number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'));
  const file = join(folder, 'tables.db');
  buildSync({
    entryPoints: { writers: path('writers.ts'), thread: path('writer-thread.ts') },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
  const chance = random(seed);
  const acknowledged: Acknowledged = new Map();
  const report: KillReport = { kills: 0, terminations: 0, acknowledged: 0, breaches: [] };

  function take(line: string): void {
    const [writer, kind, n] = line.split(' ');
    if (line === 'terminated') report.terminations += 1;
    else if (kind !== undefined && n !== undefined && (kind === 'single' || kind === 'pair')) {
      const name = `${writer} ${kind}`;
      acknowledged.set(name, Math.max(acknowledged.get(name) ?? 0, Number(n)));
      report.acknowledged += 1;
    } else if (line !== 'go') report.breaches.push(line);
  }

  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const command = [join(folder, 'writers.mjs'), file, join(folder, 'thread.mjs'), String(seed + kill)];
      const child = spawn(process.execPath, [...command, String(terminations)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines = createInterface({ input: child.stdout });
      const { promise: going, resolve } = Promise.withResolvers<void>();
      lines.on('line', (line) => {
        take(line);
        if (line === 'go') resolve();
      });
      const read = once(lines, 'close');
      const late = wait(LOCKED_OUT_MS, 'late', { ref: false });
      if ((await Promise.race([going, late])) === 'late') report.breaches.push('a process came to nothing');
      await wait(chance.below(LONGEST_MS));
      child.kill('SIGKILL');
      await read;
      report.kills += 1;
      const engine = openEngine(file);
      report.breaches.push(...breachesIn(engine, acknowledged).map((breach) => `kill ${kill}: ${breach}`));
      await engine.close();
    }
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

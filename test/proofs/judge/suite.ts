// A part of the tests on another engine of the table.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalServer } from '../../support/local-server.ts';
import { readReport } from '../vitest-report.ts';

const WITHIN_MS = 60 * 60_000;

interface Part {
  project: string;
  /** Some of its files; none: all. */
  files: readonly string[];
  /** Files at once. */
  workers: number;
}

/** Runs tests with the engine in place of the embedded one, and stops it. */
export async function suiteOn(engine: LocalServer, { project, files, workers }: Part) {
  const folder = mkdtempSync(join(tmpdir(), 'judge-engine-'));
  const output = join(folder, 'report.json');
  const begun = Date.now();
  try {
    const options = ['--project', project, '--maxWorkers', String(workers), '--outputFile.json', output];
    const reporters = ['--reporter', 'dot', '--reporter', 'json'];
    const vitest = spawn('vitest', ['run', ...options, ...reporters, ...files], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, OTHER_ENGINE: engine.url },
      timeout: WITHIN_MS,
    });
    const [code] = await once(vitest, 'exit');
    return {
      exit_code: Number(code),
      ...readReport(output),
      took_s: Math.round((Date.now() - begun) / 1000),
    };
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

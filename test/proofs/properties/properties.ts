// Every test file with a property, round after round, each with another seed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesBy } from '../../support/files.ts';
import type { Findings } from '../proof.ts';
import { readReport } from '../vitest-report.ts';

/** Runs the files `rounds` times with the seeds from `seed` on; a test that fails is a breach, with its counterexample. */
export async function draw({ rounds, seed }: { rounds: number; seed: number }): Promise<Findings> {
  const files = filesBy('test/**/*.test.ts').filter((file) =>
    readFileSync(file, 'utf8').includes("from 'fast-check'"),
  );
  const folder = mkdtempSync(join(tmpdir(), 'properties-'));
  const breaches: string[] = [];
  let tests = 0;
  for (let round = 0; round < rounds; round++) {
    const output = join(folder, `${round}.json`);
    const { stderr } = spawnSync(
      'npx',
      ['vitest', 'run', '--reporter=json', `--outputFile=${output}`, ...files],
      { encoding: 'utf8', env: { ...process.env, PROPERTIES_SEED: String(seed + round) } },
    );
    const of = `seed ${seed + round}`;
    try {
      const { passed, failed } = readReport(output);
      tests += passed;
      breaches.push(...failed.map(({ file, test, reason }) => `${of}: ${test ?? file}: ${reason}`));
    } catch {
      breaches.push(`${of}: no report: ${stderr}`);
    }
  }
  rmSync(folder, { recursive: true });
  return { files: files.length, tests, breaches };
}

// Every test file with a property, round after round, each with another seed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { filesBy } from '../../support/files.ts';
import type { Findings } from '../proof.ts';

const Report = z.object({
  numPassedTests: z.int(),
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

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
    const report = Report.safeParse(readJson(output));
    if (!report.success) {
      breaches.push(`seed ${seed + round}: no report: ${stderr}`);
      continue;
    }
    tests += report.data.numPassedTests;
    for (const { message, assertionResults } of report.data.testResults) {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      const found = failed.map((test) => `${test.fullName}: ${test.failureMessages.join(' ')}`);
      if (found.length === 0 && message !== '') found.push(message);
      breaches.push(...found.map((what) => `seed ${seed + round}: ${what}`));
    }
  }
  rmSync(folder, { recursive: true });
  return { files: files.length, tests, breaches };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

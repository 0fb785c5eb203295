// Measures the service on this machine and prints one JSON report: `npm run bench`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeProgram } from '../../../bin/program/made-program.ts';
import { installAssembly } from '../../../lib/local/cli/install-assembly.ts';
import { measureBundles } from './bundles.ts';
import { countOneRun } from './counted.ts';
import { measureRecovery } from './recovery.ts';
import { timeService } from './timed.ts';

const home = mkdtempSync(join(tmpdir(), 'run-service-bench-'));
try {
  const assembly = installAssembly(await madeProgram(), join(home, 'cdk.out'));
  const bundles = await measureBundles(join(home, 'bundles'));
  const counting = join(home, 'counting');
  mkdirSync(counting);
  const counted = await countOneRun(assembly, counting, { waits: true });
  const timed = await timeService(join(home, 'timing'));
  const recovery = await measureRecovery(join(home, 'recovery'), { kills: 4, runs: 6 });
  process.stdout.write(`${JSON.stringify({ counted, timed, recovery, bundles }, undefined, 2)}\n`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

// The fuzzer: `node test/fuzz/fuzz.ts --n 10000`; one JSON line, exit code 1 on a breach. `--seed S --only K` sends one request again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { synthesize } from '../../lib/local/cli/synth.ts';
import { startRuntime } from '../../lib/local/runtime/runtime.ts';
import { makePool } from './pool.ts';
import { fuzz } from './run.ts';
import { hangUp } from './send.ts';

const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    only: { type: 'string' },
    parallel: { type: 'string', default: '8' },
  },
});
const SAMPLE_MS = 5_000;
const rss = () => Math.round(process.memoryUsage().rss / 2 ** 20);
const home = mkdtempSync(join(tmpdir(), 'run-service-fuzz-'));
const assembly = join(home, 'cdk.out');
await synthesize({ outdir: assembly, context: { model: 'offline' }, allowLocalCallbacks: false });
const runtime = await startRuntime({
  dataDir: home,
  cloudAssembly: async () => assembly,
  port: 0,
  checkRoles: true,
});
try {
  const pool = await makePool(runtime.base_url, async (command) => {
    const result = await runtime.lambda.invoke('Admin', JSON.stringify(command));
    const answer = result.ok ? JSON.parse(result.payload) : { error: result.error };
    if (answer.error) throw new Error(JSON.stringify(answer));
    return answer;
  });
  const begun = Date.now();
  const first = values.only === undefined ? 0 : Number(values.only);
  const end = values.only === undefined ? Number(values.n) : first + 1;
  const seed = Number(values.seed);
  const rss_mb = [rss()];
  const sampling = setInterval(() => rss_mb.push(rss()), SAMPLE_MS);
  const report = await fuzz(runtime.site_url, pool, { seed, first, end, parallel: Number(values.parallel) });
  clearInterval(sampling);
  process.stdout.write(`${JSON.stringify({ ...report, seconds: (Date.now() - begun) / 1000, rss_mb })}\n`);
  for (const { index } of report.breaches)
    process.stderr.write(`again: node test/fuzz/fuzz.ts --seed ${seed} --only ${index}\n`);
  process.exitCode = report.breaches.length > 0 ? 1 : 0;
} finally {
  hangUp();
  await runtime.stop();
  rmSync(home, { recursive: true, force: true });
}

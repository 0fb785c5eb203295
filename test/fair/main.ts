// Fair share: what a bystander waits for while another tenant does the heaviest work. `npm run fair [-- --only NAME,… --seed N]`, JSON.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { synthesize } from '../../lib/local/cli/synth.ts';
import { percentile, residentMb } from '../bench/figures.ts';
import { bystander, type Latencies } from './bystander.ts';
import { startService } from './child.ts';
import { type Heavy, heavyWork } from './heavy.ts';
import { RECORDS, tenant } from './tenants.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string', default: '7' },
    records: { type: 'string', default: String(RECORDS) },
  },
});
const idle: Heavy = () => new Promise((resolve) => setTimeout(resolve, 3_000));

const home = mkdtempSync(join(tmpdir(), 'run-service-fair-'));
const assembly = join(home, 'cdk.out');
await synthesize({ outdir: assembly, context: { model: 'offline' }, allowLocalCallbacks: false });
mkdirSync(join(home, 'data'));
const service = await startService(join(home, 'data'), assembly);
try {
  const seed = Number(values.seed);
  const heavy = await tenant(service, seed, Number(values.records));
  const other = await tenant(service, seed, 50);
  const resident_mb = residentMb(service.pid);
  const wanted = Object.entries({ nothing: idle, ...heavyWork }).filter(
    ([name]) => !values.only || name === 'nothing' || values.only.split(',').includes(name),
  );
  // Everything is warm before it is measured.
  await measure(idle);
  const kinds: Record<string, object> = {};
  for (const [name, work] of wanted) {
    kinds[name] = await measure(work);
    process.stderr.write(`${name} ${JSON.stringify(kinds[name])}\n`);
  }
  process.stdout.write(
    `${JSON.stringify({ seed, records: RECORDS, resident_mb, resident_mb_after: residentMb(service.pid), kinds }, undefined, 2)}\n`,
  );

  async function measure(work: Heavy) {
    await service.holds();
    const begun = performance.now();
    const watching = bystander(other);
    let error: string | undefined;
    await work(heavy, service.site_url).catch((e) => {
      error = String(e);
    });
    const took = await watching.stop();
    const holds = (await service.holds())
      .filter(({ longest_ms }) => longest_ms > 20)
      .toSorted((a, b) => b.longest_ms - a.longest_ms);
    return {
      took_ms: Math.round(performance.now() - begun),
      ...summary(took),
      held: Object.fromEntries(holds.slice(0, 6).map((h) => [`${h.name}-${h.thread}`, h.longest_ms])),
      error,
    };
  }
} finally {
  await service.stop();
  rmSync(home, { recursive: true, force: true });
}

function summary(took: Latencies) {
  return Object.fromEntries(
    Object.entries(took).map(([what, samples]) => [
      what,
      [percentile(samples, 50), percentile(samples, 100), samples.length],
    ]),
  );
}

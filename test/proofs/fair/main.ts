// Fair share: what a bystander waits for while another tenant does the heaviest work. `npm run prove -- fair [--only
// NAME,…] [--seed N]`, one JSON report.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { madeProgram } from '../../../bin/program/made-program.ts';
import { installAssembly } from '../../../lib/local/cli/install-assembly.ts';
import { request } from '../bench/client.ts';
import { percentile, processorS, residentMb } from '../bench/figures.ts';
import { bystander, type Latencies } from './bystander.ts';
import { type Service, startService } from './child.ts';
import { costliest, type Heavy, heavyWork } from './heavy.ts';
import { outside } from './outside.ts';
import { RECORDS, type Tenant, tenant } from './tenants.ts';

const IDLE_MS = 3_000;
const BYSTANDERS_RECORDS = 50;
/** Holds of this length and more are reported, the longest first. */
const HELD_MS = 20;
const HELD_SHOWN = 6;
/** Next to the costliest steps a run of the bystander takes no longer (rules.md: local 14). */
const RUN_MS = 1_000;
/** Without fair sharing it waits for all of the heavy work, whatever that is. */
const STARVED_MS = 30_000;
const IN_FLIGHT = 'pending,running,paused';
const SETTLE_POLL_MS = 100;

const { values } = parseArgs({
  options: { only: { type: 'string' }, seed: { type: 'string', default: '7' } },
});
const seed = Number(values.seed);
const only = values.only?.split(',');
const nothing: Heavy = () => new Promise((resolve) => setTimeout(resolve, IDLE_MS));

/** Worst, median and 99th percentile of the bystander's latencies, and how long each thread was blocked, during the work. */
async function measure(service: Service, work: Heavy, [heavy, other]: [Tenant, Tenant]) {
  await service.holds();
  const begun = performance.now();
  const before_s = processorS(service.pid);
  const watching = bystander(other);
  const failure = await work(heavy, service.site_url).then(
    () => undefined,
    (error: unknown) => String(error),
  );
  const took = await watching.stop();
  const held = (await service.holds())
    .filter(({ longest_ms }) => longest_ms >= HELD_MS)
    .toSorted((a, b) => b.longest_ms - a.longest_ms)
    .slice(0, HELD_SHOWN);
  return {
    took_ms: Math.round(performance.now() - begun),
    processor_s: Math.round((processorS(service.pid) - before_s) * 10) / 10,
    worst_ms: summary(took, 100),
    p50_ms: summary(took, 50),
    p99_ms: summary(took, 99),
    held_ms: Object.fromEntries(
      held.map(({ name, thread, longest_ms, longest_cpu_ms }) => [
        `${name} ${thread}`,
        { wall: longest_ms, cpu: longest_cpu_ms },
      ]),
    ),
    ...(failure !== undefined && { failure }),
  };
}

/** Waits for the runs that a flood has left, so that the next kind is measured alone. */
async function settled(tenant: Tenant): Promise<void> {
  for (;;) {
    const { data } = await request(tenant, 'GET', `/runs?limit=1&status=${IN_FLIGHT}`, 200);
    if (Array.isArray(data) && data.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_POLL_MS));
  }
}

function summary(took: Latencies, p: number): Record<string, number> {
  return Object.fromEntries(Object.entries(took).map(([what, samples]) => [what, percentile(samples, p)]));
}

const home = mkdtempSync(join(tmpdir(), 'run-service-fair-'));
const assembly = installAssembly(await madeProgram(), join(home, 'cdk.out'));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
const service = await startService(dataDir, assembly);
try {
  const tenants: [Tenant, Tenant] = [
    await tenant(service, seed, RECORDS),
    await tenant(service, seed, BYSTANDERS_RECORDS),
  ];
  const resident_mb = [residentMb(service.pid)];
  // What is measured is warm.
  await measure(service, nothing, tenants);
  const kinds: Record<string, Awaited<ReturnType<typeof measure>>> = {};
  const bounded = { ...costliest, ...outside(service) };
  for (const [name, work] of Object.entries({ nothing, ...heavyWork, ...bounded })) {
    if (name !== 'nothing' && only && !only.includes(name)) continue;
    kinds[name] = await measure(service, work, tenants);
    await settled(tenants[0]);
    process.stderr.write(`${name} ${JSON.stringify(kinds[name])}\n`);
  }
  resident_mb.push(residentMb(service.pid));
  const worst_wait_ms = Object.fromEntries(
    Object.entries(kinds).map(([name, { worst_ms }]) => [name, Math.max(...Object.values(worst_ms))]),
  );
  const late = Object.keys(bounded).filter((name) => Number(kinds[name]?.p99_ms.run) > RUN_MS);
  const starved = Object.entries(worst_wait_ms).filter(([, ms]) => ms > STARVED_MS);
  const failed = Object.entries(kinds).filter(([, kind]) => 'failure' in kind);
  const breaches = [
    ...late.map((name) => `${name}: a run beside it takes more than ${RUN_MS} ms`),
    ...starved.map(([name, ms]) => `${name}: a bystander waits for ${ms} ms`),
    ...failed.map(([name, { failure }]) => `${name}: ${failure}`),
  ];
  const report = { seed, records: RECORDS, resident_mb, worst_wait_ms, breaches, kinds };
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
} finally {
  await service.stop();
  rmSync(home, { recursive: true, force: true });
}

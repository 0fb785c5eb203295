// At half load for half an hour: everything a client does, again and again, while memory, handles and threads stay as
// they are.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Home } from '../../support/given.ts';
import { call } from '../../support/service.ts';
import { eventsOf, streamUrl } from '../../support/streams.ts';
import { startChild } from '../bench/child.ts';
import type { Target } from '../bench/client.ts';
import { percentile } from '../bench/figures.ts';
import type { Findings } from '../proof.ts';
import { inParallel, logToItsEnd, patiently } from '../work.ts';
import { growth, type Sample, sampleOf } from './process-samples.ts';

const SAMPLE_MS = 10_000;
/** The first part of the soak, in which caches fill and functions start. */
const WARM_UP = 0.3;
/** What the rest may add, over all of it: memory in MB, handles and threads. */
const MAY_GROW = { rss_mb: 60, handles: 20, threads: 5 } as const;
/** Runs that measure the machine's current speed. */
const CAPACITY_RUNS = 120;
const CLIENTS = 8;
/** More than this in flight, and the machine is not at half load: then creates wait. */
const IN_FLIGHT = 40;

/** What a client does with a run; the n-th run gets the n-th treatment. */
const treatments: readonly ((home: Home, id: string) => Promise<unknown>)[] = [
  logToItsEnd,
  async (home, id) => {
    const { body } = await patiently(() => call('POST', `/runs/${id}/events/token`, { ...home }));
    await eventsOf(await fetch(streamUrl(id, { event_token: body.event_token }, address(home, id))));
  },
  async (home, id) => {
    await patiently(() => call('POST', `/runs/${id}/cancel`, { ...home }));
    await logToItsEnd(home, id);
  },
  async (home, id) => {
    await logToItsEnd(home, id);
    const reads = (path: string) => patiently(() => call('GET', path, { ...home }));
    const { body } = await reads(`/runs/${id}`);
    for (const artifact of body.artifacts) await reads(`/artifacts/${artifact.id}`);
    await reads('/runs?limit=5');
    // What a query has planned itself cannot be run again from a step.
    if (body.input.input_type === 'query') return;
    const headers = { 'Idempotency-Key': id };
    const again = await patiently(() =>
      call('POST', `/runs/${id}/rerun-from`, { ...home, headers, body: { step_index: 1 } }),
    );
    await logToItsEnd(home, again.body.id);
  },
];

const address = ({ access }: Home, id: string) => `${access?.base_url}/runs/${id}/events/stream`;

const bodies = [
  { input_type: 'query', query: 'Which companies in Berlin have a revenue over 10?' },
  {
    input_type: 'plan',
    plan: {
      title: 'Soak',
      steps: [
        { kind: 'fetch', title: 'Companies', params: { source: 'companies' } },
        { kind: 'filter', title: 'Berlin', instructions: 'companies in Berlin' },
        { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table', 'text'] } },
      ],
    },
  },
];

interface Load {
  took_ms: number[];
  errors: string[];
  late: number;
}

/** Creates the run of a number; the same one, however often it is asked for. */
async function created(home: Home, index: number): Promise<string> {
  const sent = {
    ...home,
    body: bodies[Math.abs(index) % bodies.length],
    headers: { 'Idempotency-Key': `run ${index}` },
  };
  const { status, body } = await patiently(() => call('POST', '/runs', sent));
  if (status !== 202 && status !== 200) throw new Error(`create answered ${status} ${JSON.stringify(body)}`);
  return body.id;
}

async function one(home: Home, index: number, load: Load): Promise<void> {
  try {
    const begun = performance.now();
    const id = await created(home, index);
    load.took_ms.push(performance.now() - begun);
    await treatments[(index >> 1) % treatments.length]?.(home, id);
  } catch (error) {
    load.errors.push(String(error));
  }
}

/** Runs a second that the machine can do now. */
async function capacity(home: Home): Promise<number> {
  const begun = performance.now();
  await inParallel(CLIENTS, CAPACITY_RUNS, async (i) => {
    await logToItsEnd(home, await created(home, -1 - i));
  });
  return (1000 * CAPACITY_RUNS) / (performance.now() - begun);
}

/** Works at `rate` runs a second until `until`. */
async function work(home: Home, rate: number, until: number): Promise<Load> {
  const load: Load = { took_ms: [], errors: [], late: 0 };
  const open = new Set<Promise<void>>();
  for (let index = 0, due = Date.now(); Date.now() < until; index += 1, due += 1000 / rate) {
    await wait(Math.max(0, due - Date.now()));
    if (open.size >= IN_FLIGHT) {
      load.late += 1;
      await Promise.race(open);
      due = Date.now();
    }
    const done: Promise<void> = one(home, index, load).finally(() => open.delete(done));
    open.add(done);
  }
  await Promise.all(open);
  return load;
}

/** Soaks a service, as started by `npm start`, for `minutes`. */
export async function soak({ minutes }: Readonly<Record<'minutes', number>>): Promise<Findings> {
  const dataDir = mkdtempSync(join(tmpdir(), 'run-service-soak-'));
  const { child, target } = await startChild(dataDir);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    const {
      base_url,
      api_key: key,
      workspace_id,
    }: Target & { workspace_id: string } = JSON.parse(JSON.stringify(target));
    const grow = [
      'workspace',
      'update',
      workspace_id,
      '--max-concurrent-runs',
      '500',
      '--daily-cost-cap-usd',
      '1000000',
    ];
    execFileSync(process.execPath, ['bin/admin.ts', ...grow, '--data-dir', dataDir], { stdio: 'ignore' });
    const home: Home = { workspace_id, key, key_id: '', access: { base_url, site_url: base_url } };
    const half = (await capacity(home)) / 2;
    const samples: Sample[] = [];
    const sampling = setInterval(() => samples.push(sampleOf(child.pid ?? 0)), SAMPLE_MS);
    const load = await work(home, half, Date.now() + minutes * 60_000);
    clearInterval(sampling);
    const breaches = load.errors.map((error) => `an error: ${error}`);
    const grown = growth(samples.slice(Math.floor(samples.length * WARM_UP)));
    for (const [what, most] of Object.entries(MAY_GROW)) {
      const by = grown[what as keyof typeof MAY_GROW];
      if (by > most) breaches.push(`${what} grew by ${by}`);
    }
    const { took_ms, late } = load;
    const create_ms = { p50: percentile(took_ms, 50), p99: percentile(took_ms, 99) };
    const runs_per_second = Math.round(half * 10) / 10;
    return { breaches, runs: took_ms.length, runs_per_second, late, create_ms, grown, samples };
  } finally {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

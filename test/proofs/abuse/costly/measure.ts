// What one request takes of a service that has just started, as the kernel counts it. Linux only.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { end, type Started, startChild } from '../../bench/child.ts';
import type { Target } from '../../bench/client.ts';
import { processorS } from '../../bench/figures.ts';
import type { Request } from './requests.ts';
import { type Costly, ended, planOf } from './tenant.ts';

/** What no request may exceed, and no neighbor waits for. */
export const BOUNDS = { processor_s: 25, memory_mb: 1_000, neighbor_p99_ms: 1_000 } as const;
/** `alone_p99_ms`: what the neighbor waits for on this machine when nothing is beside it. */
export type Figures = Record<keyof typeof BOUNDS | 'alone_p99_ms', number>;

/** So long a request is sent again and again beside the neighbor. */
const BESIDE_MS = 10_000;
const REST_MS = 3_000;
const rest = () => new Promise<void>((resolve) => setTimeout(resolve, REST_MS));

/** Resident memory in MB: now (`VmRSS`), or its peak (`VmHWM`) since `forgetPeak`. */
function memoryMb(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
}

const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** A service on the folder that has opened the tenants' records, and rests. */
async function warmService(dataDir: string, costly: Costly): Promise<Started & { tenant: Costly }> {
  const started = await startChild(dataDir);
  const tenant = { ...costly, base_url: started.target.base_url };
  const one = planOf({ kind: 'fetch', params: { limit: 1 } });
  for (const target of [tenant, started.target]) await ended(target, one);
  await rest();
  return { ...started, tenant };
}

/** The figures of a request to the service on this folder. */
export async function measure(dataDir: string, costly: Costly, send: Request): Promise<Figures> {
  const { child, target, tenant } = await warmService(dataDir, costly);
  const site = new URL(target.base_url).origin;
  const pid = child.pid ?? 0;
  try {
    forgetPeak(pid);
    const before = { s: processorS(pid), mb: memoryMb(pid, 'VmRSS') };
    await send(tenant, site);
    const processor_s = round(processorS(pid) - before.s);
    const memory_mb = Math.round(memoryMb(pid, 'VmHWM') - before.mb);
    const alone_p99_ms = await beside(target, rest);
    const neighbor_p99_ms = await beside(target, () => send(tenant, site));
    return { processor_s, memory_mb, neighbor_p99_ms, alone_p99_ms };
  } finally {
    await end(child);
  }
}

/** The 99th percentile of the neighbor's fetches of one record, in ms, while `work` is done again and again. */
async function beside(neighbor: Target, work: () => Promise<void>): Promise<number> {
  const thread = new Worker(new URL('./neighbor.ts', import.meta.url), { workerData: neighbor });
  for (const until = Date.now() + BESIDE_MS; Date.now() < until; ) await work();
  thread.postMessage('stop');
  const [p99] = await once(thread, 'message');
  return p99;
}

const round = (value: number) => Math.round(value * 10) / 10;

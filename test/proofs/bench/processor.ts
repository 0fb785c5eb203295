// Processor time: by thread of the service, each function being one, and by process of its engine. Linux only.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { difference, familyOf } from './figures.ts';

const NS_PER_MS = 1e6;

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // A thread may end at any time.
    return '';
  }
}

/**
 * Milliseconds that the threads of a process and of its children have run, by name; the engine's own threads count as
 * one.
 */
function processorMs(pid: number): Record<string, number> {
  const sums: Record<string, number> = {};
  if (process.platform !== 'linux') return sums;
  for (const one of familyOf(pid))
    for (const thread of readdirSync(`/proc/${one}/task`)) {
      const folder = `/proc/${one}/task/${thread}`;
      const program = basename(textOf(`/proc/${one}/cmdline`).split('\0')[0] ?? '');
      const name = one === pid ? textOf(`${folder}/comm`) : `${program} (beside the service)`;
      sums[name] = (sums[name] ?? 0) + Number(textOf(`${folder}/schedstat`).split(' ')[0]) / NS_PER_MS;
    }
  return sums;
}

/** What the calling process runs for each of `times` pieces of work, from now until the answer is asked. */
export function clientMsEach(times: number): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.round((user + system) / 10 / times) / 100;
  };
}

/** Runs `times` pieces of work, and returns the processor time of each: ms by thread, longest first, and the sum. */
export async function processorMsEach(pid: number, times: number, work: () => Promise<unknown>) {
  const before = processorMs(pid);
  await work();
  const spent = Object.entries(difference(processorMs(pid), before));
  const each = (ms: number) => Math.round((ms / times) * 100) / 100;
  return {
    all: each(spent.reduce((sum, [, ms]) => sum + ms, 0)),
    ...Object.fromEntries(
      spent
        .toSorted(([, a], [, b]) => b - a)
        .map(([name, ms]) => [name, each(ms)] as const)
        .filter(([, ms]) => ms >= 0.05),
    ),
  };
}

// Small figures: percentiles, and memory as the kernel counts it.
import { readdirSync, readFileSync } from 'node:fs';

/** The p-th percentile (0 to 100) of samples, to a tenth. */
export function percentile(samples: number[], p: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length));
  return Math.round((sorted[at] ?? Number.NaN) * 10) / 10;
}

export function spread(samples: number[]) {
  return { p50_ms: percentile(samples, 50), p99_ms: percentile(samples, 99), samples: samples.length };
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

/** A process and its children, with theirs. */
export function familyOf(pid: number): Set<number> {
  const family = new Set([pid]);
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    if (family.has(parentOf(name) ?? -1)) family.add(Number(name));
  }
  return family;
}

/** Resident memory of a process and its children, in MB; Linux only. */
export function residentMb(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const kilobytes = [...familyOf(pid)].map((one) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0),
  );
  return Math.round(kilobytes.reduce((sum, kb) => sum + kb, 0) / 1024);
}

/** What was counted between two looks, by name, without what did not grow. */
export function difference(
  after: Record<string, number>,
  before: Record<string, number>,
): Record<string, number> {
  const grown = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, count]) => count > 0));
}

/** In /proc/PID/stat, hundredths of a second: in user mode, and in the kernel. */
const [USER, SYSTEM] = [11, 12];

/** What a process has taken of the processor so far, in seconds. Linux only. */
export function processorS(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(stat[USER]) + Number(stat[SYSTEM])) / 100;
}

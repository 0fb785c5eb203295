// Resources of a process, as counted by the kernel, and their growth over a series of samples.
import { readdirSync, readFileSync } from 'node:fs';
import { residentMb } from '../bench/figures.ts';

/** Of a process: memory including its children's; its own file handles and threads. `at`: epoch ms. */
export interface Sample {
  at: number;
  rss_mb: number;
  handles: number;
  threads: number;
}

/** The current sample. */
export function sampleOf(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    at: Date.now(),
    rss_mb: residentMb(pid),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
  };
}

/**
 * The slope of the least-squares line times the time from the first to the last sample: what was added, without the
 * noise.
 */
export function growth(samples: readonly Sample[]): Omit<Sample, 'at'> {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || first === last) return { rss_mb: 0, handles: 0, threads: 0 };
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = mean(samples.map(({ at }) => at));
  const spread = mean(samples.map(({ at }) => (at - middle) ** 2));
  const grown = (of: (sample: Sample) => number) => {
    const slope = mean(samples.map((sample) => (sample.at - middle) * of(sample))) / spread;
    return Math.round(slope * (last.at - first.at) * 10) / 10;
  };
  return {
    rss_mb: grown(({ rss_mb }) => rss_mb),
    handles: grown(({ handles }) => handles),
    threads: grown(({ threads }) => threads),
  };
}

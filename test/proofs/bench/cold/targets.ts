// What the bench is to stay within at any size, and what did not.
import type { measureSize } from './measure.ts';

type Figures = Awaited<ReturnType<typeof measureSize>>;

const FIRST_MS = 3000;
const WARM_MS = 700;
const MEMORY_MB = 900;
const MEMORY_WITH_VECTORS_MB = 1200;

/** The figures beyond their targets. */
export function beyondTarget({ size, cold, warm }: Figures): string[] {
  const checked = [
    ...Object.entries(cold).map(([name, { ms }]) => ({ what: `first ${name}, ms`, is: ms, most: FIRST_MS })),
    ...warm.map(({ name, ms }) => ({ what: `warm ${name}, ms`, is: ms, most: WARM_MS })),
    ...warm.map(({ name, memory_mb }) => ({
      what: `resident after ${name}, MB`,
      is: memory_mb,
      most: name === 'vectors' ? MEMORY_WITH_VECTORS_MB : MEMORY_MB,
    })),
  ];
  return checked
    .filter(({ is = Number.NaN, most }) => !(is <= most))
    .map(({ what, is, most }) => `${size} records: ${what}: ${is} of at most ${most}`);
}

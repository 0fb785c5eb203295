// The partitions of the simulated table: what they give, and when they divide.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keyRanges } from '../../proofs/sim/key-ranges.ts';

const SECONDS = 25 * 60;
const WRITERS = 4000;
const UNITS = 50;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Offers more writes than a partition takes, in fifties, for a while; returns how many the last second took. */
function writesOfTheLastSecond(keyOf: (n: number) => string): number {
  const ranges = keyRanges();
  let taken = 0;
  for (let second = 0; second < SECONDS; second += 1) {
    vi.setSystemTime(second * 1000);
    taken = 0;
    for (let n = 0; n < WRITERS / UNITS; n += 1) {
      const write = [
        { pk: 'WS#w#ENTITIES', sk: keyOf(second * WRITERS + n), kind: 'writes', units: UNITS },
      ] as const;
      if (ranges.refuses(write).includes(true)) continue;
      ranges.take(write);
      taken += UNITS;
    }
  }
  return taken;
}

test('a partition gives 1,000 writes a second, and divides where its heat is spread', () => {
  const spread = (n: number) => ((n * 0x9e37_79b1) >>> 0).toString(16).padStart(8, '0');
  expect(writesOfTheLastSecond(spread)).toBeGreaterThan(2000);
});

test('where every write has the greatest key, dividing does not help', () => {
  expect(writesOfTheLastSecond((n) => String(n).padStart(12, '0'))).toBe(1000);
});

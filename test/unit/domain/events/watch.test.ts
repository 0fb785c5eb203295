// Waiting readers of another process than the writer: prompt while things happen, rare while nothing does, cheap in any
// number.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { growth } from '#domain/events/wait-for-growth.ts';
import { emits, newRun, progress } from './logged-runs.ts';
import { breakBatchReads, reads, resetTable } from './watched-table.ts';

// These readers get no notifications of growth.

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  resetTable();
});
// The watch sleeps once it has no waiters.
afterEach(async () => {
  if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(100);
});

const wait = (forMs: number) => ({ sinceMs: Date.now(), untilMs: Date.now() + forMs });
/** What a reader gets when its time is up. */

/** The most reads in any second, and the number in the last one. */
function rates(fromMs: number, toMs: number): { most: number; last: number } {
  const inSecond = (start: number) => reads.filter(({ at }) => at >= start && at < start + 1000).length;
  const starts = reads.map(({ at }) => at);
  return { most: Math.max(...starts.map(inSecond)), last: inSecond(Math.max(fromMs, toMs - 1000)) };
}

test('a reader looks at most 20 times a second and backs off to once a second', async () => {
  const run = await newRun();
  const start = Date.now();
  const grew = growth(run, run.last_sequence, wait(60_000));
  await vi.advanceTimersByTimeAsync(60_100);
  expect(await grew).toBe(false);
  const { most, last } = rates(start, start + 60_000);
  expect(most).toBeLessThanOrEqual(20);
  expect(last).toBeLessThanOrEqual(2);
  expect(reads.length).toBeLessThan(200);
});

test('two hundred readers of two hundred runs share two reads a round', async () => {
  const runs = await Promise.all(Array.from({ length: 200 }, () => newRun()));
  const waiting = runs.map((run) => growth(run, run.last_sequence, wait(1000)));
  await vi.advanceTimersByTimeAsync(1100);
  expect(await Promise.all(waiting)).toEqual(runs.map(() => false));
  expect(reads.length).toBeLessThanOrEqual(40);
  expect(Math.max(...reads.map(({ keys }) => keys))).toBe(100);
});

test('readers of one run are one key of a read', async () => {
  const run = await newRun();
  const waiting = Array.from({ length: 50 }, () => growth(run, run.last_sequence, wait(500)));
  await vi.advanceTimersByTimeAsync(600);
  await Promise.all(waiting);
  expect(new Set(reads.map(({ keys }) => keys))).toEqual(new Set([1]));
});

test('after two seconds of silence an event is seen within 150 ms', async () => {
  const run = await newRun();
  const grew = growth(run, run.last_sequence, wait(60_000));
  await vi.advanceTimersByTimeAsync(2000);
  await emits(run, progress(1));
  await vi.advanceTimersByTimeAsync(150);
  expect(await grew).toBe(true);
  await vi.advanceTimersByTimeAsync(100);
});

test('up to five seconds of silence an event is seen within 100 ms, but 150 ms right after another one', async () => {
  for (const silenceMs of [10, 100, 300, 1200, 2500, 4900]) {
    const run = await newRun();
    const grew = growth(run, run.last_sequence, wait(60_000));
    await vi.advanceTimersByTimeAsync(silenceMs);
    const emittedAt = Date.now();
    let seenAt = 0;
    void grew.then(() => {
      seenAt = Date.now();
    });
    await emits(run, progress(1));
    await vi.advanceTimersByTimeAsync(500);
    expect(seenAt - emittedAt, `after ${silenceMs} ms`).toBeLessThanOrEqual(silenceMs < 100 ? 150 : 100);
  }
});

test('a table that cannot be read is an error to every reader of that round', async () => {
  const run = await newRun();
  breakBatchReads();
  const both = Promise.allSettled([growth(run, 9, wait(5000)), growth(run, 9, wait(5000))]);
  await vi.advanceTimersByTimeAsync(500);
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

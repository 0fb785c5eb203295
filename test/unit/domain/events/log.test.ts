// The log as the store reads it: contiguous, complete, and within its retention.
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import type { RunEvent } from '#contract/events.ts';
import { readAfter } from '#store/runs/events.ts';
import { emits, newRun, progress, succeeded } from './logged-runs.ts';
import { batchesOf, hidden, hide, remove, resetTable, show } from './watched-table.ts';

const DAY_MS = 24 * 3600 * 1000;

beforeEach(() => {
  vi.useRealTimers();
  resetTable();
});

const sequencesOf = (events: RunEvent[]) => events.map((event) => event.sequence);

test('readers with any page sizes see the whole log once, though commits become visible out of order', async () => {
  const shape = fc.record({
    commits: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 25 }),
    limits: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
    hiddenFor: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 10 }),
    pageItems: fc.integer({ min: 1, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(shape, async ({ commits, limits, hiddenFor, pageItems }) => {
      resetTable(pageItems);
      let run = await newRun();
      for (const n of commits) run = await emits(run, ...Array.from({ length: n }, (_, i) => progress(i)));
      const batches = batchesOf(run).map((item, i) => ({ item, left: hiddenFor[i % hiddenFor.length] ?? 0 }));
      for (const { item, left } of batches) if (left > 0) hide(item);
      const seen: RunEvent[] = [];
      for (let round = 0; seen.length < run.last_sequence; round += 1) {
        expect(round).toBeLessThan(500);
        const limit = limits[round % limits.length] ?? 1;
        const { events, more } = await readAfter(run, seen.at(-1)?.sequence ?? 0, limit);
        expect(events.length).toBeLessThanOrEqual(limit);
        if (more) expect(events.length).toBeGreaterThan(0);
        if (hidden.size === 0) expect(more).toBe(seen.length + events.length < run.last_sequence);
        seen.push(...events);
        for (const batch of batches) {
          batch.left -= 1;
          if (batch.left <= 0) show(batch.item);
        }
      }
      expect(sequencesOf(seen)).toEqual(Array.from({ length: run.last_sequence }, (_, i) => i + 1));
    }),
    { numRuns: 80 },
  );
});

test('events past their 30 days are left out even if the table still has them, and the log begins at the oldest remaining one', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  resetTable(2);
  let run = await newRun();
  for (let i = 0; i < 9; i += 1) run = await emits(run, progress(i));
  vi.setSystemTime(29 * DAY_MS);
  run = await emits(run, progress(50));
  expect(sequencesOf((await readAfter(run, 0, 1)).events)).toEqual([1]);
  vi.setSystemTime(30 * DAY_MS + 1);
  expect(sequencesOf((await readAfter(run, 0, 1)).events)).toEqual([11]);
  expect(sequencesOf((await readAfter(run, 4, 100)).events)).toEqual([11]);
  vi.setSystemTime(60 * DAY_MS);
  expect(await readAfter(run, 0, 1)).toEqual({ events: [], more: false });
});

test('a log whose beginning was deleted continues at once at a current event', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  let run = await newRun([progress(1), progress(2)]);
  vi.setSystemTime(31 * DAY_MS);
  run = await emits(run, succeeded);
  remove(batchesOf(run)[0] ?? {});
  expect(sequencesOf((await readAfter(run, 0, 10)).events)).toEqual([3]);
  expect(sequencesOf((await readAfter(run, 1, 10)).events)).toEqual([3]);
});

test('an event whose predecessor is not visible yet is held back, however old both are', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  let run = await newRun();
  run = await emits(run, progress(1));
  run = await emits(run, progress(2));
  const [, second] = batchesOf(run);
  hide(second ?? {});
  vi.setSystemTime(29 * DAY_MS);
  expect(sequencesOf((await readAfter(run, 0, 10)).events)).toEqual([1]);
  expect(await readAfter(run, 1, 10)).toEqual({ events: [], more: false });
});

test('a page that the table cut short reports more', async () => {
  resetTable(3);
  let run = await newRun();
  for (let i = 0; i < 9; i += 1) run = await emits(run, progress(i));
  const part = await readAfter(run, 0, 100);
  expect(sequencesOf(part.events)).toEqual([1, 2, 3]);
  expect(part.more).toBe(true);
  expect((await readAfter(run, 7, 100)).more).toBe(false);
});

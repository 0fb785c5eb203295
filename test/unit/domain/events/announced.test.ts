// Announced growth saves readers reads; an announcement that is lost, late or out of order costs them nothing else.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunEvent } from '#contract/events.ts';
import { waitForEvents } from '#domain/events/follow.ts';
import { type Growth, readAfter } from '#store/runs/events.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { get } from '#store/runs/runs.ts';
import { growthOf } from '../../../../lib/local/shared-thread/log-growth.ts';
import { emits, ends, newRun, progress, succeeded } from './logged-runs.ts';
import { batchesOf, hide, reads, resetTable, show } from './memory-table.ts';

const channel = vi.hoisted(() => ({
  deliver: (_: Growth): void => {},
  /** What happens to an announcement on its way. */
  carry: (growth: Growth): void => channel.deliver(growth),
}));
vi.mock('#store/runs/log-growth.ts', () => ({
  announceGrowth: (...grown: Parameters<typeof growthOf>) =>
    channel.carry(structuredClone(growthOf(...grown))),
  onGrowth: (listener: (growth: Growth) => void) => {
    channel.deliver = listener;
  },
}));

const deliverAtOnce = (growth: Growth) => channel.deliver(growth);

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  resetTable();
  channel.carry = deliverAtOnce;
});
// The watch goes to sleep once no reader waits.
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(100);
});

/** The events after `sequence` for a reader that has read all up to it. */
const waits = (run: RunRecord, sequence: number, limit = 100) =>
  waitForEvents(run, sequence, { limit, known: sequence, sinceMs: Date.now(), untilMs: Date.now() + 25_000 });
/** The same for a reader that has seen the run as it is. */
const behind = (run: RunRecord, sequence: number, limit: number) =>
  waitForEvents(run, sequence, {
    limit,
    known: run.last_sequence,
    sinceMs: Date.now(),
    untilMs: Date.now() + 25_000,
  });
const sequencesOf = (events: RunEvent[]) => events.map(({ sequence }) => sequence);

/** A run whose growth was announced once, to a reader that has left. */
async function announcedRun(): Promise<RunRecord> {
  const run = await newRun();
  const reader = waits(run, 1);
  const grown = await emits(run, progress(0));
  await vi.advanceTimersByTimeAsync(50);
  await reader;
  reads.length = 0;
  return grown;
}

test('a reader that is up to date gets the events as the table would give them, and nothing is read', async () => {
  const run = await announcedRun();
  const reader = waits(run, 2);
  await vi.advanceTimersByTimeAsync(60);
  const grown = await emits(run, progress(1), progress(2));
  const part = await reader;
  expect(reads).toEqual([]);
  expect(part).toEqual(await readAfter(grown, 2, 100));
});

test('commits of one round come together, the end of the log at once', async () => {
  let run = await announcedRun();
  const reader = waits(run, 2);
  run = await emits(run, progress(1));
  await ends(run, succeeded);
  expect(sequencesOf((await reader).events)).toEqual([3, 4]);
  expect(reads).toEqual([]);
});

test('more events than the reader wants are left for its next page', async () => {
  const run = await announcedRun();
  const reader = waits(run, 2, 2);
  await ends(run, succeeded);
  expect(await reader).toMatchObject({ more: false });
  const wants = waits(run, 2, 1);
  await emits(run, progress(1), progress(2));
  await vi.advanceTimersByTimeAsync(50);
  const { events, more } = await wants;
  expect([sequencesOf(events), more]).toEqual([[3], true]);
});

test('a reader that is behind gets what was announced as the table would give it, and nothing is read', async () => {
  const run = await announcedRun();
  const grown = await emits(await emits(run, progress(1)), progress(2), progress(3));
  expect(await behind(grown, 1, 2)).toEqual(await readAfter(grown, 1, 2));
  reads.length = 0;
  const part = await behind(grown, 2, 100);
  expect(reads).toEqual([]);
  expect(part).toEqual(await readAfter(grown, 2, 100));
});

test('a reader that misses what was not announced, or knows of it, reads the table', async () => {
  channel.carry = () => {};
  const run = await newRun();
  channel.carry = deliverAtOnce;
  let grown = await emits(run, progress(0));
  expect(sequencesOf((await behind(grown, 0, 100)).events)).toEqual([1, 2]);
  channel.carry = () => {};
  grown = await emits(grown, progress(1));
  expect(sequencesOf((await behind(grown, 1, 100)).events)).toEqual([2, 3]);
  expect(reads.map(({ kind }) => kind)).toEqual(['query', 'query']);
});

test('after a gap the reader reads the table', async () => {
  let run = await announcedRun();
  const reader = waits(run, 2);
  channel.carry = () => {};
  run = await emits(run, progress(1));
  channel.carry = deliverAtOnce;
  await ends(run, succeeded);
  expect(sequencesOf((await reader).events)).toEqual([3, 4]);
  expect(reads.map(({ kind }) => kind)).toEqual(['query']);
});

test('a run of the same id in another workspace announces nothing to its readers', async () => {
  const run = await announcedRun();
  const reader = waits(run, 2);
  channel.carry = (growth) => channel.deliver({ ...growth, workspace_id: 'other' });
  await ends(run, succeeded);
  await vi.advanceTimersByTimeAsync(900);
  expect(reads).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(sequencesOf((await reader).events)).toEqual([3]);
});

test('where growth is announced, the table is read once a second for what was lost', async () => {
  const run = await announcedRun();
  const reader = waits(run, 2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads.length).toBeLessThanOrEqual(11);
  channel.carry = () => {};
  await emits(run, progress(1));
  await vi.advanceTimersByTimeAsync(1100);
  expect(sequencesOf((await reader).events)).toEqual([3]);
});

test('a reader whose last look was just before growth announced to others does not wait for a second', async () => {
  const run = await announcedRun();
  await emits(run, progress(1));
  const reader = waits(run, 2);
  await vi.advanceTimersByTimeAsync(60);
  expect(sequencesOf((await reader).events)).toEqual([3]);
});

test('whatever becomes of the words, every reader gets each event once and in order', async () => {
  const fate = fc.record({
    events: fc.integer({ min: 1, max: 3 }),
    lateMs: fc.option(fc.integer({ min: 0, max: 200 })),
    hiddenMs: fc.constantFrom(0, 0, 0, 60, 400),
    pauseMs: fc.integer({ min: 0, max: 120 }),
  });
  const shape = fc.record({
    commits: fc.array(fate, { minLength: 1, maxLength: 15 }),
    limits: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(shape, async ({ commits, limits }) => {
      resetTable();
      const first = await newRun();
      const readers = limits.map((limit) => readsAll(first, limit));
      let run = first;
      for (const { events, lateMs, hiddenMs, pauseMs } of commits) {
        channel.carry = (growth) => {
          if (lateMs !== null) setTimeout(() => channel.deliver(growth), lateMs);
        };
        run = await emits(run, ...Array.from({ length: events }, (_, i) => progress(i)));
        const batch = batchesOf(run).at(-1) ?? {};
        if (hiddenMs > 0) hide(batch);
        if (hiddenMs > 0) setTimeout(() => show(batch), hiddenMs);
        await vi.advanceTimersByTimeAsync(pauseMs);
      }
      await ends(run, succeeded);
      await vi.advanceTimersByTimeAsync(30_000);
      const whole = await readAfter(run, 0, 1000);
      for (const reader of readers) expect(await reader).toEqual(whole.events);
    }),
    { numRuns: 60 },
  );
});

/** What a reader of pages reads until the log is over. */
async function readsAll({ workspace_id, id }: RunRecord, limit: number): Promise<RunEvent[]> {
  const seen: RunEvent[] = [];
  for (;;) {
    const run = await get(workspace_id, id);
    if (!run || (run.log_finished && run.last_sequence === seen.length)) return seen;
    const { events } = await waitForEvents(run, seen.length, {
      limit,
      known: run.last_sequence,
      sinceMs: run.last_event_at,
      untilMs: Date.now() + 25_000,
    });
    expect(events.length).toBeLessThanOrEqual(limit);
    seen.push(...events);
  }
}

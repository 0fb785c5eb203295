// rules.md: paging. Pages of a log in a process without notifications of growth, in virtual time.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeCursor, encodeCursor } from '#domain/events/cursor.ts';
import { eventPage, type PageQuery } from '#domain/events/event-page.ts';
import { findRun } from '#domain/runs/find-run.ts';
import { newId } from '#platform/ids.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { commit } from '#store/runs/runs.ts';
import { emits, ends, newRun, paused, progress, succeeded } from './logged-runs.ts';
import { resetTable } from './watched-table.ts';

// These readers get no notifications of growth.

const DAY_MS = 24 * 3600 * 1000;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  resetTable();
});
// The watch sleeps once it has no waiters.
afterEach(async () => {
  if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(100);
});

const page = async (run: RunRecord, query: PageQuery) =>
  eventPage(await findRun(run.workspace_id, run.id), query);

/** What a promise has come to after `ms`: its value, or undefined while it waits. */
async function after<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let value: T | undefined;
  void promise.then((found) => {
    value = found;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return value;
}

test('keep-open answers an empty page after 25 s, with the cursor that was sent', async () => {
  const run = await newRun();
  const cursor = await encodeCursor(run.id, 1);
  const waiting = page(run, { cursor, 'keep-open': '1' });
  expect(await after(24_900, waiting)).toBeUndefined();
  expect(await after(300, waiting)).toEqual({
    object: 'list',
    data: [],
    next_cursor: cursor,
    has_more: false,
  });
});

test('keep-open answers as soon as there is an event', async () => {
  const run = await newRun();
  const waiting = page(run, { cursor: await encodeCursor(run.id, 1), 'keep-open': '1' });
  expect(await after(1000, waiting)).toBeUndefined();
  await emits(run, progress(1), progress(2));
  const found = await after(150, waiting);
  expect(found?.data.map((event) => event.sequence)).toEqual([2, 3]);
});

test('keep-open does not wait on a finished log, whether read to its end or past its retention', async () => {
  const run = await ends(await newRun(), succeeded);
  const cursor = await encodeCursor(run.id, 2);
  expect(await after(0, page(run, { cursor, 'keep-open': '1' }))).toMatchObject({ data: [] });
  vi.setSystemTime(Date.now() + 31 * DAY_MS);
  const old = await after(0, page(run, { 'keep-open': '1' }));
  expect(old).toEqual({
    object: 'list',
    data: [],
    next_cursor: await encodeCursor(run.id, 0),
    has_more: false,
  });
});

test('keep-open waits while a canceled run finishes its step', async () => {
  const run = await commit(await newRun(), { change: { status: 'canceled', completed_at: 1 } });
  const waiting = page(run, { cursor: await encodeCursor(run.id, 1), 'keep-open': '1' });
  expect(await after(20_000, waiting)).toBeUndefined();
  await ends(run, succeeded);
  expect((await after(1500, waiting))?.data).toHaveLength(1);
});

test('a cursor older than the retention continues at the oldest remaining event', async () => {
  let run = await newRun([paused, progress(1)]);
  vi.setSystemTime(Date.now() + 31 * DAY_MS);
  run = await emits(run, progress(2));
  const { data, has_more } = await page(run, { cursor: await encodeCursor(run.id, 1) });
  expect(data.map((event) => event.sequence)).toEqual([3]);
  expect(has_more).toBe(false);
});

test('the first empty page has the cursor before the first event', async () => {
  vi.setSystemTime(Date.now() + DAY_MS);
  const run = await newRun();
  vi.setSystemTime(Date.now() + 31 * DAY_MS);
  const { next_cursor } = await page(run, {});
  expect(await decodeCursor(run.id, next_cursor)).toBe(0);
});

test('no change of a cursor is taken, nor a cursor of another run', async () => {
  vi.useRealTimers();
  const [run, other] = [newId(), newId()];
  const good = await encodeCursor(run, 7);
  expect(await decodeCursor(run, good)).toBe(7);
  expect(await decodeCursor(other, good)).toBeUndefined();
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= !\u0000é';
  const mutation = fc.tuple(fc.nat(good.length), fc.nat(2), fc.nat(alphabet.length - 1));
  await fc.assert(
    fc.asyncProperty(mutation, async ([at, kind, letter]) => {
      const put = alphabet[letter] ?? '';
      const cut = kind === 0 ? 0 : 1;
      const changed = good.slice(0, at) + (kind === 2 ? '' : put) + good.slice(at + cut);
      if (changed !== good) expect(await decodeCursor(run, changed)).toBeUndefined();
    }),
    { numRuns: 3000 },
  );
});

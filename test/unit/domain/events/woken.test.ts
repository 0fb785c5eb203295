// On a shared thread: a commit wakes the readers of its process at once, before any poll.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { growth } from '#domain/events/wait-for-growth.ts';
import { commit } from '#store/runs/runs.ts';
import { newRun, progress } from './logged-runs.ts';
import { reads, resetTable } from './watched-table.ts';

vi.mock('#store/runs/log-growth.ts', () => import('../../../../lib/local/shared-thread/broadcast-growth.ts'));

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  resetTable();
});
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(100);
});

const wait = (sinceMs: number) => ({ sinceMs, untilMs: Date.now() + 60_000 });

test('after a long silence a commit wakes its readers at once, without a read, and those of other runs sleep on', async () => {
  const [run, other] = [await newRun(), await newRun()];
  const grew = growth(run, run.last_sequence, wait(Date.now()));
  let woken = false;
  const sleeps = growth(other, other.last_sequence, wait(Date.now())).then((grew) => {
    woken = grew;
  });
  await vi.advanceTimersByTimeAsync(20_000);
  const before = reads.length;
  await commit(run, { change: {}, events: [progress(1)] });
  expect(await grew).toBe(true);
  expect(reads.length).toBe(before);
  expect(woken).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  await sleeps;
}, 5000);

test('events of a burst are gathered; the end of the log is not waited for', async () => {
  const run = await newRun();
  let seen = false;
  const grew = growth(run, run.last_sequence, wait(Date.now())).then(() => {
    seen = true;
  });
  const grown = await commit(run, { change: {}, events: [progress(1)] });
  await told();
  expect(seen).toBe(false);
  await commit(grown, { change: { log_finished: true }, events: [progress(2)] });
  await grew;
  expect(seen).toBe(true);
}, 5000);

test('readers of one log that came at different times wake in the same round of a burst', async () => {
  const run = await newRun();
  const left: number[] = [];
  const waits = () => growth(run, run.last_sequence, wait(Date.now())).then(() => left.push(Date.now()));
  const first = waits();
  await vi.advanceTimersByTimeAsync(20);
  const second = waits();
  await commit(run, { change: {}, events: [progress(1)] });
  await told();
  expect(left).toEqual([]);
  await vi.advanceTimersByTimeAsync(50);
  await Promise.all([first, second]);
  expect(left[0]).toBe(left[1]);
}, 5000);

/** Resolves when a message of this process has gone round. */
async function told(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const [to, from] = [new BroadcastChannel('round'), new BroadcastChannel('round')];
  from.onmessage = () => resolve();
  to.postMessage('');
  await promise;
  to.close();
  from.close();
}

// When the sweep looks at a run next: soon where it waits, much later where it works.
import { expect, test } from 'vitest';
import { nextSweepAt } from '#store/runs/next-sweep.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const created = { config: {}, created_at: NOW - MINUTE };
const running = (due_at: number | undefined) => ({ ...created, status: 'running' as const, due_at });

test('commits of a short run leave its look where it is: moving it costs two writes of the index', () => {
  const run = running(NOW + MINUTE);
  expect(nextSweepAt(run, run, NOW)).toBe(NOW + MINUTE);
});

test('the commit of a run that works moves a look that is near, or past, beyond the time of a slice', () => {
  for (const due_at of [NOW + 20_000, NOW, NOW - MINUTE]) {
    const run = running(due_at);
    expect(nextSweepAt(run, run, NOW)).toBe(NOW + 16 * MINUTE);
  }
});

test('a run that pauses is looked at soon: it may have to be woken', () => {
  const before = running(NOW + 16 * MINUTE);
  expect(nextSweepAt(before, { ...before, status: 'paused' }, NOW)).toBe(NOW + MINUTE);
});

test('a run that waits keeps its look, however near', () => {
  for (const status of ['pending', 'paused', 'canceled'] as const) {
    const run = { ...created, status, due_at: NOW };
    expect(nextSweepAt(run, run, NOW)).toBe(NOW);
  }
});

test('a commit may set the time of the next check, and one that ends a run clears it', () => {
  expect(nextSweepAt(running(NOW), running(NOW + 5), NOW)).toBe(NOW + 5);
  expect(
    nextSweepAt(running(NOW), { ...created, status: 'succeeded', due_at: undefined }, NOW),
  ).toBeUndefined();
});

test('a run with a job still to send is looked at as one that works, and after that at the end of its wait', () => {
  const waiting = { reason: 'job' as const, since: NOW, until: NOW + 600 * MINUTE, job_id: 'a' };
  const before = { ...running(NOW + 5 * MINUTE), owner: 'a' };
  const sends = { ...before, waiting };
  expect(nextSweepAt(before, sends, NOW)).toBe(NOW + 5 * MINUTE);
  const near = { due_at: NOW + 1000 };
  expect(nextSweepAt({ ...before, ...near }, { ...sends, ...near }, NOW)).toBe(NOW + 16 * MINUTE);
  const far = { due_at: NOW + 30 * MINUTE };
  expect(nextSweepAt({ ...before, ...far }, { ...sends, ...far }, NOW)).toBe(NOW + 16 * MINUTE);
  expect(nextSweepAt(sends, { ...sends, owner: undefined }, NOW)).toBe(NOW + 601 * MINUTE);
});

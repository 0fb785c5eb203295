// One watch over all logs that readers wait for: each round polls all of them in one read; a commit in this process wakes its readers at once.
import { pause } from '#platform/pause.ts';
import type { LoggedRun } from '#store/events.ts';
import { type Growth, onGrowth } from '#store/log-growth.ts';
import * as runs from '#store/runs.ts';

const ROUND_MS = 50;
const FIRST_LOOK_MS = 100;
const LONGEST_PAUSE_MS = 1000;
/** A pause is at most this share of the silence so far: up to 5 s without events a poll every 100 ms, which costs two reads more a second. */
const SILENCE_SHARE = 0.02;

export interface Wait {
  /** Time of the last event; polls grow rarer from there. */
  sinceMs: number;
  untilMs: number;
}

interface Waiter extends Wait {
  run: LoggedRun;
  after: number;
  waitsSinceMs: number;
  nextLookAt: number;
  /** The log is known to have grown. */
  grown: boolean;
  leave(grown: boolean): void;
  fail(error: unknown): void;
}

const waiters = new Set<Waiter>();
let watching = false;
let listening = false;

/**
 * Resolves true once the log has an event after `after`, false when `untilMs` passes first. Polls at most 20 times a
 * second, whatever the number of readers, and backs off to once a second. Rejects when the table cannot be read.
 */
export function logGrew(run: LoggedRun, after: number, wait: Wait): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const done = <T>(how: (value: T) => void) => {
      return (value: T) => {
        waiters.delete(waiter);
        how(value);
      };
    };
    const waiter: Waiter = {
      ...wait,
      run,
      after,
      waitsSinceMs: Date.now(),
      grown: false,
      nextLookAt: nextLook(wait, FIRST_LOOK_MS),
      leave: done(resolve),
      fail: done(reject),
    };
    waiters.add(waiter);
    if (!listening) onGrowth(heard);
    listening = true;
    if (!watching) void watch();
  });
}

/**
 * Lets the readers of a log that grew go and read: at once when they have waited for a round or the log has ended, else all together with the
 * next round, so that a burst costs them no more reads than polls do.
 */
function heard({ run_id, last_sequence, finished }: Growth): void {
  for (const waiter of waiters) {
    if (waiter.run.id !== run_id || last_sequence <= waiter.after) continue;
    if (finished || Date.now() - waiter.waitsSinceMs >= ROUND_MS) waiter.leave(true);
    else waiter.grown = true;
  }
}

/** When a waiter is polled again: soon while events come, rarely while none do. */
function nextLook({ sinceMs, untilMs }: Wait, atLeastMs: number): number {
  const now = Date.now();
  const share = (now - sinceMs) * SILENCE_SHARE;
  return Math.min(now + Math.min(Math.max(share, atLeastMs), LONGEST_PAUSE_MS), untilMs);
}

async function watch(): Promise<void> {
  watching = true;
  while (waiters.size > 0) {
    await pause(ROUND_MS);
    const now = Date.now();
    for (const waiter of waiters) if (waiter.grown) waiter.leave(true);
    const due = [...waiters].filter((waiter) => waiter.nextLookAt <= now);
    await Promise.all(groups(due).map(look));
  }
  watching = false;
}

/** Waiters by run, as many runs to a group as one read takes. */
function groups(due: Waiter[]): Waiter[][][] {
  const byRun = [...Map.groupBy(due, (waiter) => waiter.run.id).values()];
  return Array.from({ length: Math.ceil(byRun.length / runs.HEADS_MAX) }, (_, i) =>
    byRun.slice(i * runs.HEADS_MAX, (i + 1) * runs.HEADS_MAX),
  );
}

async function look(byRun: Waiter[][]): Promise<void> {
  const all = byRun.flat();
  try {
    const heads = await runs.lastSequences(byRun.flatMap(([first]) => first?.run ?? []));
    for (const waiter of all) {
      if ((heads.get(waiter.run.id) ?? 0) > waiter.after) waiter.leave(true);
      else if (waiter.untilMs <= Date.now()) waiter.leave(false);
      else waiter.nextLookAt = nextLook(waiter, ROUND_MS);
    }
  } catch (error) {
    for (const waiter of all) waiter.fail(error);
  }
}

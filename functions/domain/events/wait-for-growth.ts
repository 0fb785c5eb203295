// Watches all logs that readers wait for: each round polls them in one batch read. Announced growth wakes its readers
// at once.
import { chunks } from '#platform/chunks.ts';
import { pause } from '#platform/pause.ts';
import type { Growth, LoggedRun } from '#store/runs/events.ts';
import { onGrowth, SHORTEST_PAUSE_MS } from '#store/runs/log-growth.ts';
import * as runs from '#store/runs/runs.ts';

const ROUND_MS = 50;
/** Soon: the log may have grown just before its reader began to wait. */
const FIRST_POLL_MS = 100;
const LONGEST_PAUSE_MS = 1000;
/** Of the silence so far, unless that is short: a log is polled every 100 ms up to 5 s after its last event. */
const SILENCE_SHARE = 0.02;

export interface Wait {
  /** Time of the last event; polls become rarer from then on. */
  sinceMs: number;
  untilMs: number;
}

interface Waiter extends Wait {
  run: LoggedRun;
  after: number;
  waitsSinceMs: number;
  nextPollAt: number;
  /** Whether the log has an event after `after`. */
  grew: boolean;
  release(): void;
  fail(error: unknown): void;
}

const waiters = new Set<Waiter>();
let watching = false;
let listening = false;

/**
 * Resolves with true once the log has an event after `after`, and with false when `untilMs` passes first or the log
 * seems deleted. Polls at most 20 times a second for all readers together, and backs off to once a second. Rejects when
 * the table cannot be read.
 */
export function growth(run: LoggedRun, after: number, wait: Wait): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      ...wait,
      run,
      after,
      waitsSinceMs: Date.now(),
      nextPollAt: nextPoll(wait, FIRST_POLL_MS),
      grew: false,
      release() {
        waiters.delete(waiter);
        resolve(waiter.grew);
      },
      fail(error) {
        waiters.delete(waiter);
        reject(error);
      },
    };
    waiters.add(waiter);
    if (!listening) onGrowth(wake);
    listening = true;
    if (!watching) void watch();
  });
}

/**
 * Wakes the readers of a log that has grown: at once when the log has ended or they have waited for a round, else with
 * the next round, so that a burst of commits causes no more replies than polling does.
 */
function wake({ workspace_id, id, last_sequence, finished }: Growth): void {
  for (const waiter of waiters) {
    const { run, after } = waiter;
    if (run.id !== id || run.workspace_id !== workspace_id || last_sequence <= after) continue;
    waiter.grew = true;
    if (finished || Date.now() - waiter.waitsSinceMs >= ROUND_MS) waiter.release();
  }
}

/** When to poll a log next: soon while events arrive, rarely while none do. */
function nextPoll({ sinceMs, untilMs }: Wait, shortestMs: number): number {
  const now = Date.now();
  const pauseMs = Math.max((now - sinceMs) * SILENCE_SHARE, shortestMs);
  return Math.min(now + Math.min(pauseMs, LONGEST_PAUSE_MS), untilMs);
}

async function watch(): Promise<void> {
  watching = true;
  while (waiters.size > 0) {
    await pause(ROUND_MS);
    const now = Date.now();
    for (const waiter of waiters) if (waiter.grew) waiter.release();
    const due = [...waiters].filter((waiter) => waiter.nextPollAt <= now);
    const byRun = [...Map.groupBy(due, (waiter) => waiter.run.id).values()];
    await Promise.all(chunks(byRun, runs.HEADS_MAX).map(poll));
  }
  watching = false;
}

/** Reads the heads of as many runs as one read takes. */
async function poll(byRun: Waiter[][]): Promise<void> {
  const all = byRun.flat();
  try {
    const heads = await runs.lastSequences(byRun.flatMap(([first]) => first?.run ?? []));
    for (const waiter of all) {
      const head = heads.get(waiter.run.id);
      if (head !== undefined && head > waiter.after) waiter.grew = true;
      // A log without a head was deleted, or the table left its head unread: the reader finds out.
      const over = head === undefined || waiter.untilMs <= Date.now();
      if (waiter.grew || over) waiter.release();
      else waiter.nextPollAt = nextPoll(waiter, SHORTEST_PAUSE_MS);
    }
  } catch (error) {
    for (const waiter of all) waiter.fail(error);
  }
}

// Watches all logs that readers wait for: each round polls them in one batch read. Announced growth reaches its readers
// at once.
import type { RunEvent } from '#contract/events.ts';
import { chunks } from '#platform/chunks.ts';
import { pause } from '#platform/pause.ts';
import { announcedEvents, type Growth, type LoggedRun, type LogPart } from '#store/runs/events.ts';
import { onGrowth } from '#store/runs/log-growth.ts';
import * as runs from '#store/runs/runs.ts';

const ROUND_MS = 50;
const FIRST_POLL_MS = 100;
const LONGEST_PAUSE_MS = 1000;
/**
 * A pause is at most this share of the silence so far, so a log is polled every 100 ms up to 5 s after its last event.
 */
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
  /** The last known sequence of the log. */
  known: number;
  /** The announced events right after `after`, without a gap. */
  events: RunEvent[];
  release(): void;
  fail(error: unknown): void;
}

const waiters = new Set<Waiter>();
let watching = false;
let listening = false;

/**
 * The last sequence of each log whose growth was announced, least recent first: expect its next growth to be announced
 * too.
 */
const announced = new Map<string, number>();
const ANNOUNCED_MAX = 1000;
const nameOf = ({ workspace_id, id }: Pick<LoggedRun, 'id' | 'workspace_id'>) => `${workspace_id}/${id}`;

/**
 * Resolves once the log has an event after `after`: with the announced events, or with `more` alone when the caller has
 * to read them from the table. Resolves with neither when `untilMs` passes first, or the log seems deleted. Polls at
 * most 20 times a second for all readers together, and backs off to once a second. Rejects when the table cannot be
 * read.
 */
export function growth(run: LoggedRun, after: number, wait: Wait): Promise<LogPart> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      ...wait,
      run,
      after,
      waitsSinceMs: Date.now(),
      // Growth announced just before this call is read at once.
      nextPollAt: (announced.get(nameOf(run)) ?? 0) > after ? Date.now() : nextPoll(run, wait, FIRST_POLL_MS),
      known: after,
      events: [],
      release() {
        waiters.delete(waiter);
        resolve({ events: waiter.events, more: waiter.known > lastOf(waiter) });
      },
      fail(error) {
        waiters.delete(waiter);
        reject(error);
      },
    };
    waiters.add(waiter);
    if (!listening) onGrowth(receive);
    listening = true;
    if (!watching) void watch();
  });
}

/**
 * Passes the growth of a log to its readers. It releases them at once when the log has ended or they have waited for a
 * round, else with the next round, so that a burst of commits causes no more replies than polling does.
 */
function receive(news: Growth): void {
  remember(news);
  let events: RunEvent[] | undefined;
  for (const waiter of waiters) {
    const { run } = waiter;
    if (run.id !== news.id || run.workspace_id !== news.workspace_id) continue;
    if (news.last_sequence <= waiter.known) continue;
    waiter.known = news.last_sequence;
    if (news.first_sequence === lastOf(waiter) + 1) {
      events ??= announcedEvents(run, news);
      waiter.events.push(...events);
    }
    if (news.finished || Date.now() - waiter.waitsSinceMs >= ROUND_MS) waiter.release();
  }
}

/** The sequence of the last event that a waiter has. */
const lastOf = ({ after, events }: Waiter) => after + events.length;

function remember(news: Growth): void {
  const name = nameOf(news);
  announced.delete(name);
  announced.set(name, news.last_sequence);
  const [oldest] = announced.keys();
  if (oldest !== undefined && announced.size > ANNOUNCED_MAX) announced.delete(oldest);
}

/**
 * When to poll a log again: soon while events arrive, rarely while none do. Where growth is announced, a poll only
 * finds what was lost.
 */
function nextPoll(run: LoggedRun, { sinceMs, untilMs }: Wait, atLeastMs: number): number {
  const now = Date.now();
  const share = announced.has(nameOf(run)) ? LONGEST_PAUSE_MS : (now - sinceMs) * SILENCE_SHARE;
  return Math.min(now + Math.min(Math.max(share, atLeastMs), LONGEST_PAUSE_MS), untilMs);
}

async function watch(): Promise<void> {
  watching = true;
  while (waiters.size > 0) {
    await pause(ROUND_MS);
    const now = Date.now();
    for (const waiter of waiters) if (waiter.known > waiter.after) waiter.release();
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
      waiter.known = Math.max(waiter.known, head ?? 0);
      // A log without a head was deleted, or the table left its head unread: the reader finds out.
      const over = head === undefined || waiter.untilMs <= Date.now();
      if (waiter.known > waiter.after || over) waiter.release();
      else waiter.nextPollAt = nextPoll(waiter.run, waiter, ROUND_MS);
    }
  } catch (error) {
    for (const waiter of all) waiter.fail(error);
  }
}

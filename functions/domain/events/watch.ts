// One watch over all logs that readers wait for: each round polls all of them in one read; a commit in this process brings
// its readers the events at once.
import type { RunEvent } from '#contract/events.ts';
import { pause } from '#platform/pause.ts';
import { type LoggedRun, type LogPart, toldEvents } from '#store/runs/events.ts';
import { type Growth, onGrowth } from '#store/runs/log-growth.ts';
import * as runs from '#store/runs/runs.ts';

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
  /** How far the log is known to have come. */
  known: number;
  /** The events right after `after`, without a gap, as far as they were told. */
  events: RunEvent[];
  leave(): void;
  fail(error: unknown): void;
}

const waiters = new Set<Waiter>();
let watching = false;
let listening = false;

/** How far those logs have come whose growth was told last, oldest first: their next growth will be told as well. */
const told = new Map<string, number>();
const MAX_TOLD = 1000;
const nameOf = ({ workspace_id, id }: Pick<LoggedRun, 'id' | 'workspace_id'>) => `${workspace_id}/${id}`;

/**
 * Resolves once the log is known to have an event after `after`: with the events that were told, or with `more` alone when the
 * table has to be read for them; with neither when `untilMs` passes first. Polls at most 20 times a second, whatever the number
 * of readers, and backs off to once a second. Rejects when the table cannot be read.
 */
export function growth(run: LoggedRun, after: number, wait: Wait): Promise<LogPart> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      ...wait,
      run,
      after,
      waitsSinceMs: Date.now(),
      // What was told just before the reader came is looked for at once.
      nextLookAt: (told.get(nameOf(run)) ?? 0) > after ? Date.now() : nextLook(run, wait, FIRST_LOOK_MS),
      known: after,
      events: [],
      leave() {
        waiters.delete(waiter);
        resolve({ events: waiter.events, more: waiter.known > lastOf(waiter) });
      },
      fail(error) {
        waiters.delete(waiter);
        reject(error);
      },
    };
    waiters.add(waiter);
    if (!listening) onGrowth(heard);
    listening = true;
    if (!watching) void watch();
  });
}

/**
 * Gives the readers of a log what it has grown by and lets them go: at once when they have waited for a round or the log has
 * ended, else all together with the next round, so that a burst costs them no more answers than polls do.
 */
function heard(news: Growth): void {
  remember(news);
  let events: RunEvent[] | undefined;
  for (const waiter of waiters) {
    const { run } = waiter;
    if (run.id !== news.id || run.workspace_id !== news.workspace_id) continue;
    if (news.last_sequence <= waiter.known) continue;
    waiter.known = news.last_sequence;
    if (news.first_sequence === lastOf(waiter) + 1) {
      events ??= toldEvents(run, news);
      waiter.events.push(...events);
    }
    if (news.finished || Date.now() - waiter.waitsSinceMs >= ROUND_MS) waiter.leave();
  }
}

/** The last event that a waiter has. */
const lastOf = ({ after, events }: Waiter) => after + events.length;

function remember(news: Growth): void {
  const name = nameOf(news);
  told.delete(name);
  told.set(name, news.last_sequence);
  const [oldest] = told.keys();
  if (oldest !== undefined && told.size > MAX_TOLD) told.delete(oldest);
}

/**
 * When a log is looked at again: soon while events come, rarely while none do. Where its growth is told, a look has to find
 * only what got lost.
 */
function nextLook(run: LoggedRun, { sinceMs, untilMs }: Wait, atLeastMs: number): number {
  const now = Date.now();
  const share = told.has(nameOf(run)) ? LONGEST_PAUSE_MS : (now - sinceMs) * SILENCE_SHARE;
  return Math.min(now + Math.min(Math.max(share, atLeastMs), LONGEST_PAUSE_MS), untilMs);
}

async function watch(): Promise<void> {
  watching = true;
  while (waiters.size > 0) {
    await pause(ROUND_MS);
    const now = Date.now();
    for (const waiter of waiters) if (waiter.known > waiter.after) waiter.leave();
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
      waiter.known = Math.max(waiter.known, heads.get(waiter.run.id) ?? 0);
      if (waiter.known > waiter.after || waiter.untilMs <= Date.now()) waiter.leave();
      else waiter.nextLookAt = nextLook(waiter.run, waiter, ROUND_MS);
    }
  } catch (error) {
    for (const waiter of all) waiter.fail(error);
  }
}

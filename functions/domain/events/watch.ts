// Watches all logs that readers wait for: each round polls them in one batch read. Announced growth reaches its readers
// at once.
import type { RunEvent } from '#contract/events.ts';
import { chunks } from '#platform/chunks.ts';
import { pause } from '#platform/pause.ts';
import {
  announcedEvents,
  type Growth,
  type LoggedRun,
  type LogPart,
  oldestRetained,
} from '#store/runs/events.ts';
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
 * What was announced of each log lately, without gaps, least recent log first: expect its next growth to be announced
 * too.
 */
const announced = new Map<string, Growth[]>();
const ANNOUNCED_LOGS_MAX = 1000;
const ANNOUNCED_GROWTHS_MAX = 32;
const ANNOUNCED_CHARACTERS_MAX = 1_000_000;
let announcedCharacters = 0;
const nameOf = ({ workspace_id, id }: Pick<LoggedRun, 'id' | 'workspace_id'>) => `${workspace_id}/${id}`;
const announcedOf = (run: Pick<LoggedRun, 'id' | 'workspace_id'>): Growth[] =>
  announced.get(nameOf(run)) ?? [];

/**
 * At most `limit` announced events after `after`, as a read of the table would return them. Undefined if what was
 * announced does not begin there, or ends before `known`.
 */
export function announcedPart(
  run: LoggedRun,
  after: number,
  { known, limit }: { known: number; limit: number },
): LogPart | undefined {
  const growths = announcedOf(run);
  const [first, last] = [growths[0], growths.at(-1)];
  if (!first || !last || first.first_sequence > after + 1 || last.last_sequence < known) return undefined;
  if (first.occurred_at < oldestRetained(Date.now())) return undefined;
  const events: RunEvent[] = [];
  for (const growth of growths) {
    if (growth.last_sequence <= after) continue;
    events.push(...announcedEvents(run, growth).filter(({ sequence }) => sequence > after));
    if (events.length >= limit) break;
  }
  return { events: events.slice(0, limit), more: last.last_sequence > after + limit };
}

/**
 * Resolves once the log has an event after `after`: with the announced events, or with `more` alone when the caller has
 * to read them from the table. Resolves with neither when `untilMs` passes first, or the log seems deleted. Polls at
 * most 20 times a second for all readers together, and backs off to once a second. Rejects when the table cannot be
 * read.
 */
export function growth(run: LoggedRun, after: number, wait: Wait): Promise<LogPart> {
  return new Promise((resolve, reject) => {
    // Growth may have been announced just before this call.
    const lastAnnounced = announcedOf(run).at(-1)?.last_sequence ?? 0;
    const part = announcedPart(run, after, { known: after + 1, limit: Number.POSITIVE_INFINITY });
    const waiter: Waiter = {
      ...wait,
      run,
      after,
      waitsSinceMs: Date.now(),
      nextPollAt: lastAnnounced > after ? Date.now() : nextPoll(run, wait, FIRST_POLL_MS),
      known: part ? lastAnnounced : after,
      events: part?.events ?? [],
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
  const growths = announcedOf(news);
  const last = growths.at(-1)?.last_sequence ?? 0;
  forget(nameOf(news));
  // One that comes late adds nothing.
  if (news.first_sequence > last + 1) growths.length = 0;
  if (news.first_sequence > last) growths.push(news);
  if (growths.length > ANNOUNCED_GROWTHS_MAX) growths.shift();
  announced.set(nameOf(news), growths);
  announcedCharacters += charactersOf(growths);
  while (announced.size > ANNOUNCED_LOGS_MAX || announcedCharacters > ANNOUNCED_CHARACTERS_MAX) {
    const [oldest = ''] = announced.keys();
    forget(oldest);
  }
}

function forget(name: string): void {
  announcedCharacters -= charactersOf(announced.get(name) ?? []);
  announced.delete(name);
}

const charactersOf = (growths: Growth[]) => growths.reduce((sum, { events }) => sum + events.length, 0);

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

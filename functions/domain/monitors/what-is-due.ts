// What is due of a monitor at a time: pure.
import { limits } from '#contract/limits.ts';
import type { Fire } from '#contract/monitors.ts';
import { newTimeOrderedId } from '#platform/ids.ts';
import { type MonitorChange, type MonitorRecord, settledAt } from '#store/monitors/monitors.ts';
import { dueTimes, type Schedule } from './due-times.ts';
import { scheduleOf } from './schedule.ts';

/**
 * A fire, and how the monitor changes when it is taken; or only such a change. `missed` lists the due times that will
 * not fire any more.
 */
export type DueFire =
  | { kind: 'fire'; fire: Pick<Fire, 'id' | 'due_at' | 'cause'>; change: MonitorChange; missed?: Fire }
  | { kind: 'advance'; change: MonitorChange; missed?: Fire };

/** How often a monitor is looked at that waits for the end of a run. */
export const CHECK_AGAIN_MS = 60_000;

/** What is due of a monitor whose last run is `busy`, or undefined. */
export function whatIsDue(monitor: MonitorRecord, busy: boolean, now: number): DueFire | undefined {
  const { queued, on, next_fire_at, marked, look_at, firing_until = 0 } = monitor;
  if (firing_until > now) return undefined;
  if (queued && !busy)
    return { kind: 'fire', fire: queued, change: { queued: undefined, look_at: undefined } };
  if (next_fire_at !== undefined && next_fire_at <= now && 'cron' in on)
    return whatSchedule(monitor, scheduleOf(on), next_fire_at, now);
  const settled_at = settledAt(monitor);
  // A change that was skipped is listed once.
  if (settled_at !== undefined && settled_at <= now && !(marked?.skipped && busy))
    return {
      kind: 'fire',
      fire: { id: newTimeOrderedId(now), due_at: settled_at, cause: 'change' },
      change: { marked: undefined, ...(!queued && { look_at: undefined }) },
    };
  if (look_at === undefined || look_at > now) return undefined;
  if (busy) return { kind: 'advance', change: { look_at: now + CHECK_AGAIN_MS } };
  // Further changes have still to settle.
  const settling = marked && { since: marked.since, last: marked.last };
  return { kind: 'advance', change: { look_at: undefined, marked: settling } };
}

/** The newest due time fires if it is not too old; those before it are one entry. */
function whatSchedule(
  { catch_up_seconds }: MonitorRecord,
  schedule: Schedule,
  first: number,
  now: number,
): DueFire {
  const { last, earlier, count, next } = dueTimes(schedule, first, now);
  const change = { next_fire_at: next };
  const missed = (until: number, times: number): Fire => ({
    id: newTimeOrderedId(now),
    ...{ due_at: first, fired_at: now, cause: 'schedule', outcome: 'skipped', reason: 'missed' },
    until,
    count: times,
  });
  const lateness_ms = Math.max(catch_up_seconds * 1000, limits.monitor_lateness_max_ms);
  if (now - last > lateness_ms) return { kind: 'advance', change, missed: missed(last, count) };
  return {
    kind: 'fire',
    // Newer than what was missed.
    fire: { id: newTimeOrderedId(now + 1), due_at: last, cause: 'schedule' },
    change,
    ...(earlier !== undefined && { missed: missed(earlier, count - 1) }),
  };
}

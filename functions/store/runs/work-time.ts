// How long a run has worked, which only runs with a time limit record: pauses do not count.
import * as z from 'zod';
import type { RunConfig, RunStatus } from '#contract/runs.ts';

export const WorkTime = z.object({
  /** Since when the run works; of a paused run, the time of its pause. */
  since: z.number(),
  /** What counts from before `since`. */
  before_ms: z.number(),
});
export type WorkTime = z.infer<typeof WorkTime>;

interface Timed {
  status: RunStatus;
  config: RunConfig;
  work_time?: WorkTime | undefined;
}

/** The work time after a commit at `now`: each start counts from zero, a pause stops the count. */
export function workTime(before: Timed, after: Timed, now: number): WorkTime | undefined {
  const { work_time } = after;
  if (after.config.timeout_seconds === undefined || after.status === before.status) return work_time;
  if (before.status === 'pending') return { since: now, before_ms: 0 };
  if (!work_time) return undefined;
  if (before.status === 'running' && after.status === 'paused')
    return { since: now, before_ms: work_time.before_ms + now - work_time.since };
  return before.status === 'paused' ? { ...work_time, since: now } : work_time;
}

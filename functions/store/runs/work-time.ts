// How long a run has worked, which only runs with a time limit record, and how long it has waited for a model.
import * as z from 'zod';
import type { RunConfig, RunStatus, Waiting } from '#contract/runs.ts';

export const WorkTime = z.object({
  /** Since when the run works; while its time does not count, since when not. */
  since: z.number(),
  /** What counts from before `since`. */
  before_ms: z.number(),
});
export type WorkTime = z.infer<typeof WorkTime>;

interface Timed {
  status: RunStatus;
  config: RunConfig;
  waiting?: Waiting | undefined;
  work_time?: WorkTime | undefined;
  model_waited_ms?: number | undefined;
}

/** Whether a paused run waits for a model. */
export function waitsForModel({ waiting }: Pick<Timed, 'waiting'>): boolean {
  return waiting?.reason === 'model_unavailable';
}

/** Whether a running run waits for an open job. */
export function waitsForJob({ waiting }: Pick<Timed, 'waiting'>): boolean {
  return waiting?.job_id !== undefined;
}

/** Whether the time of the run counts: a wait for a model does, one for the end of maintenance does not. */
export const isTimed = (run: Pick<Timed, 'status' | 'waiting'>): boolean =>
  run.status === 'running' || waitsForModel(run);

/** The work time after a commit at `now`: each start counts from zero, a pause for maintenance stops the count. */
export function workTime(before: Timed, after: Timed, now: number): WorkTime | undefined {
  const { work_time } = after;
  if (after.config.timeout_seconds === undefined) return work_time;
  if (before.status === 'pending' && after.status !== 'pending') return { since: now, before_ms: 0 };
  if (!work_time || isTimed(before) === isTimed(after)) return work_time;
  if (isTimed(after)) return { ...work_time, since: now };
  // An ended run keeps what its error says.
  if (after.status !== 'paused') return work_time;
  return { since: now, before_ms: work_time.before_ms + now - work_time.since };
}

/** How long the run has waited for models until `now`, since its start or last resume. */
export function modelWaitedMs({ model_waited_ms = 0, waiting }: Timed, now: number): number {
  return model_waited_ms + (waiting?.reason === 'model_unavailable' ? now - waiting.since : 0);
}

/** The sum of the ended waits after a commit at `now`. */
export function endedWaitsMs(before: Timed, after: Timed, now: number): number | undefined {
  const ends = waitsForModel(before) && !waitsForModel(after);
  return ends ? modelWaitedMs(before, now) : after.model_waited_ms;
}

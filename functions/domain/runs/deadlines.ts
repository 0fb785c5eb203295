// The deadlines of a run: until when it must have started, and how long it may work (rules.md: deadlines).
import type { RunError } from '#contract/events.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { isTimed } from '#store/runs/work-time.ts';
import { runError } from './run-error.ts';

/** A deadline that a run has reached. */
export interface Overdue {
  /** The error of the run at the step of this index; undefined: no step is at fault. */
  errorAt(stepIndex?: number): RunError;
}

type Limited = Pick<
  RunRecord,
  'status' | 'config' | 'created_at' | 'pending_since' | 'work_time' | 'waiting'
>;

/** The deadline that a run has reached at `now`; undefined while there is none. */
export function overdue(run: Limited, now: number): Overdue | undefined {
  const limited = limitOf(run, now);
  if (!limited || limited.elapsed_ms < limited.limit_seconds * 1000) return undefined;
  return {
    errorAt: (step_index) =>
      runError('run_timed_out', { details: { ...limited, ...(step_index !== undefined && { step_index }) } }),
  };
}

/** How many milliseconds a run has left at `now`; undefined if it has no deadline. */
export function leftMs(run: Limited, now: number): number | undefined {
  const limited = limitOf(run, now);
  return limited && limited.limit_seconds * 1000 - limited.elapsed_ms;
}

function limitOf(run: Limited, now: number) {
  const { status, config, created_at, pending_since, work_time } = run;
  const { start_within_seconds, timeout_seconds } = config;
  if (status === 'pending' && start_within_seconds !== undefined)
    return {
      limit: 'start_within_seconds',
      limit_seconds: start_within_seconds,
      elapsed_ms: now - (pending_since ?? created_at),
    };
  if (!isTimed(run) || timeout_seconds === undefined || !work_time) return undefined;
  const elapsed_ms = work_time.before_ms + now - work_time.since;
  return { limit: 'timeout_seconds', limit_seconds: timeout_seconds, elapsed_ms };
}

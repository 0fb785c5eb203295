// When the sweep checks a run next, as decided by the run's commits.
import { limits } from '#contract/limits.ts';
import type { RunConfig, RunStatus, Waiting } from '#contract/runs.ts';
import { isTimed, type WorkTime, waitsForJob } from './work-time.ts';

/** How long the sweep leaves a waiting run alone: until its execution starts, or maintenance ends. */
export const CHECK_AGAIN_MS = 60_000;
/** How long it leaves a working run alone: a little longer than a slice can last without an event. */
export const SILENCE_MS = 16 * 60_000;
/**
 * A commit postpones a check that is this near. Shorter runs never postpone theirs, which would cost two index writes.
 */
const NEAR_MS = 30_000;

/**
 * How long the sweep leaves a run alone that works past its deadline: as long as the longest model call and its commit
 * take. After that its task is dead, or waits for AWS.
 */
const LAST_WORK_MS = limits.model_call_timeout_ms + 30_000;

interface SweptRun {
  status: RunStatus;
  config: RunConfig;
  created_at: number;
  pending_since?: number | undefined;
  work_time?: WorkTime | undefined;
  waiting?: Waiting | undefined;
  owner?: string | undefined;
  due_at?: number | undefined;
}

/** When the sweep has to fail a run for its deadline, if nothing else has by then; undefined: it has none now. */
export function deadline(run: Omit<SweptRun, 'due_at'>): number | undefined {
  const { timeout_seconds, start_within_seconds } = run.config;
  if (run.status === 'pending' && start_within_seconds !== undefined)
    return (run.pending_since ?? run.created_at) + start_within_seconds * 1000;
  if (!isTimed(run) || timeout_seconds === undefined || !run.work_time) return undefined;
  // A run that waits has a task at work only while its call tries the model.
  const works = run.owner !== undefined || (run.status === 'running' && !waitsForJob(run));
  const working_ms = works ? LAST_WORK_MS : 0;
  return run.work_time.since - run.work_time.before_ms + timeout_seconds * 1000 + working_ms;
}

/** The time `at`, or the time of the deadline if that is earlier. */
export function earlierDeadline(run: Omit<SweptRun, 'due_at'>, at: number): number {
  return Math.min(at, deadline(run) ?? at);
}

/**
 * When the sweep looks at a run that waits. While a slice has a job still to send, its execution may be lost: the run
 * is looked at as one that works.
 */
function lookAt({ waiting, owner, due_at }: SweptRun, now: number): number {
  const at = (waiting?.until ?? now) + CHECK_AGAIN_MS;
  if (!waitsForJob({ waiting }) || owner === undefined) return at;
  const latest = Math.min(at, now + SILENCE_MS);
  return due_at === undefined || due_at < now + NEAR_MS ? latest : Math.min(due_at, latest);
}

/** When to check a run after a commit at `now`; epoch ms, undefined once it has ended. */
export function nextSweepAt(before: SweptRun, after: SweptRun, now: number): number | undefined {
  const { due_at, status } = after;
  if (due_at === undefined || due_at !== before.due_at) return due_at;
  const waits = status === 'paused' || waitsForJob(after);
  const changes = before.status !== status || before.waiting !== after.waiting;
  if (waits && (changes || (waitsForJob(after) && before.owner !== after.owner)))
    return earlierDeadline(after, lookAt(after, now));
  // Its job is over. The function that ended it may have died before it woke the run.
  if (status === 'running' && waitsForJob(before)) return earlierDeadline(after, now + CHECK_AGAIN_MS);
  return status === 'running' && due_at < now + NEAR_MS ? earlierDeadline(after, now + SILENCE_MS) : due_at;
}

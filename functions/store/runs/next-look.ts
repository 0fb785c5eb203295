// When the sweep checks a run next, as decided by the run's commits.
import type { RunStatus } from '#contract/runs.ts';

/** How long the sweep leaves a waiting run alone: until its execution starts, or maintenance ends. */
export const LOOK_AGAIN_MS = 60_000;
/** How long it leaves a working run alone: a little longer than a slice can last without an event. */
export const SILENCE_MS = 16 * 60_000;
/**
 * A commit postpones a check that is this near. Shorter runs never postpone theirs, which would cost two index writes.
 */
const NEAR_MS = 30_000;

interface Looked {
  status: RunStatus;
  due_at?: number | undefined;
}

/** When to check a run after a commit at `now`; epoch ms, undefined once it has ended. */
export function nextLook(before: Looked, after: Looked, now: number): number | undefined {
  const { due_at, status } = after;
  if (due_at === undefined || due_at !== before.due_at) return due_at;
  if (status === 'paused' && before.status !== 'paused') return now + LOOK_AGAIN_MS;
  return status === 'running' && due_at < now + NEAR_MS ? now + SILENCE_MS : due_at;
}

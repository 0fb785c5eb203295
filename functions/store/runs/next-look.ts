// When the sweep looks at a run next, as far as its own commits decide that.
import type { RunStatus } from '#contract/runs.ts';

/** How long the sweep leaves a run alone that waits for something: for its execution to start, for the end of maintenance. */
export const LOOK_AGAIN_MS = 60_000;
/** How long it leaves one alone that works: a little longer than a slice can last without an event. */
export const SILENCE_MS = 16 * 60_000;
/** A commit moves a look that is as near as this. Runs that end sooner never move theirs, which would cost two writes of the index. */
const NEAR_MS = 30_000;

interface Looked {
  status: RunStatus;
  due_at?: number | undefined;
}

/** When to look at a run after a commit at `now`; epoch ms, undefined for one that has ended. */
export function nextLook(before: Looked, after: Looked, now: number): number | undefined {
  const { due_at, status } = after;
  if (due_at === undefined || due_at !== before.due_at) return due_at;
  if (status === 'paused' && before.status !== 'paused') return now + LOOK_AGAIN_MS;
  return status === 'running' && due_at < now + NEAR_MS ? now + SILENCE_MS : due_at;
}

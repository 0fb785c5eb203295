// How a slice that ends before its run tells the state machine what is next.
import type { Waiting } from '#contract/runs.ts';

/**
 * Thrown instead of returned: a Choice on the result would bill every run a second transition, 0.000025 USD (27 %
 * more). The state machine catches it by name, and reads from its message how long the run waits at most.
 */
export class HandedOn extends Error {
  constructor(action: 'continue' | Waiting, now: number) {
    super(`the slice is over: ${nextOf(action, now)}`);
    this.name = action === 'continue' ? 'RunContinues' : 'RunParks';
  }
}

function nextOf(action: 'continue' | Waiting, now: number): string {
  if (action === 'continue') return action;
  const { until, reason } = action;
  // A state machine counts whole seconds, at least one.
  const at_most = until === undefined ? '' : `, at most ${Math.max(1, Math.ceil((until - now) / 1000))} s`;
  return `waits for ${reason}${at_most}`;
}

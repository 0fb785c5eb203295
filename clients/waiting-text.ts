// What a paused run waits for, as the terminal and the console say it.
import type { Run } from './sdk/index.ts';

/** `Maintenance: the run continues automatically.`, or which time it waits for. `timeText` says a time. */
export function waitingText(waiting: Run['waiting'] | undefined, timeText: (ms: number) => string): string {
  if (waiting?.reason !== 'model_unavailable') return 'Maintenance: the run continues automatically.';
  const until = waiting.until === undefined ? '' : ` at ${timeText(waiting.until)}`;
  return `Waiting for the model, which is away. It is tried again${until}; the run then continues automatically.`;
}

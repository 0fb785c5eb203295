// Replaces functions/platform/turns.ts: requests share a thread, so long work is cut into short turns.
import { setImmediate } from 'node:timers';

const TURN_MS = 10;
const waiting: (() => void)[] = [];

/**
 * Yields to the event loop. Of all work that waits here, one piece resumes per turn of the loop, first come, first
 * served.
 */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  if (waiting.length === 1) setImmediate(resumeOne);
  return promise;
}

function resumeOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeOne);
}

/** Maps the items in order and yields to the event loop every 10 ms. Rejects with what `make` throws. */
export async function mapInTurns<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]> {
  const made: R[] = [];
  let turnEndsAt = performance.now() + TURN_MS;
  for (const item of items) {
    if (performance.now() > turnEndsAt) {
      await nextTurn();
      turnEndsAt = performance.now() + TURN_MS;
    }
    made.push(make(item));
  }
  return made;
}

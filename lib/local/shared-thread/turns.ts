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

/** The result of work that yields wherever it may be interrupted: every 10 ms, the event loop gets its turn. */
export async function inTurns<T>(work: Generator<void, T, void>): Promise<T> {
  for (let turnEndsAt = performance.now() + TURN_MS; ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() <= turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = performance.now() + TURN_MS;
  }
}

/** Maps the items in order and yields to the event loop every 10 ms. Rejects with what `make` throws. */
export function mapInTurns<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]> {
  return inTurns(mapped(items, make));
}

function* mapped<T, R>(items: readonly T[], make: (item: T) => R): Generator<void, R[], void> {
  const made: R[] = [];
  for (const item of items) {
    yield;
    made.push(make(item));
  }
  return made;
}

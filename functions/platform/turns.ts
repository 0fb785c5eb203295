// Long work in short turns, so that whoever shares the thread need not wait for the whole of it.
import { setImmediate } from 'node:timers';

const TURN_MS = 10;
const waiting: (() => void)[] = [];

/** Leaves the event loop to others; then works on, one of all that wait for it in each turn of the loop, in their order. */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  if (waiting.length === 1) setImmediate(letOneOn);
  return promise;
}

function letOneOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letOneOn);
}

/** What `make` makes of each item, in their order. Leaves the event loop to others every 10 ms. Throws what `make` throws. */
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

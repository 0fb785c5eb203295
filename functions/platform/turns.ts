// Long work in short turns, so that whoever shares the thread need not wait for the whole of it.
import { setImmediate as nextTurn } from 'node:timers/promises';

const TURN_MS = 10;

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

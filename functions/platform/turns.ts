// Long work in turns. Here each invocation has its own thread and takes no turns; a build for shared threads replaces
// this module.
import { atOnce } from './at-once.ts';

/** Lets other work on this thread go first. */
export async function nextTurn(): Promise<void> {}

/** Maps the items in order, in turns when the thread is shared. Rejects with what `make` throws. */
export async function mapInTurns<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]> {
  return items.map((item) => make(item));
}

/** The result of work that yields wherever it may be interrupted, in turns when the thread is shared. */
export async function inTurns<T>(work: Generator<void, T, void>): Promise<T> {
  return atOnce(work);
}

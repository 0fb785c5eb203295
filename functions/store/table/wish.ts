// A write that a transaction takes along only if that is easy: where others meet on its item, the rest does not wait for it.
import { ConditionFailed, type Write } from './table.ts';

/** In so many tries a wish is asked for; after that it is given up, however many more the others may need. */
const TRIES = 2;

/** The writes for `transact`, which throws ConditionFailed for the wish also when it has been given up. */
export function wishingFor(wish: Write | undefined, writes: Write[]): () => Write[] {
  let tries = 0;
  return () => {
    tries += 1;
    if (wish && tries > TRIES) throw new ConditionFailed(writes.indexOf(wish), wish);
    return writes;
  };
}

/** Whether an error says that the wish alone stood in the way. */
export function isUnfulfilled(wish: Write | undefined, error: unknown): boolean {
  return wish !== undefined && error instanceof ConditionFailed && error.write === wish;
}

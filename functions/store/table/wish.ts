// An optional write of a transaction: under contention, the other writes proceed without it.
import { ConditionFailed, type Write } from './table.ts';

/** How many tries include the optional write; the others may be retried more often. */
const TRIES = 2;

/** The writes for `transact`, which throws ConditionFailed for the optional write also when it is given up. */
export function wishingFor(wish: Write | undefined, writes: Write[]): () => Write[] {
  let tries = 0;
  return () => {
    tries += 1;
    if (wish && tries > TRIES) throw new ConditionFailed(writes.indexOf(wish), wish);
    return writes;
  };
}

/** Whether the optional write alone made the transaction fail. */
export function isUnfulfilled(wish: Write | undefined, error: unknown): boolean {
  return wish !== undefined && error instanceof ConditionFailed && error.write === wish;
}

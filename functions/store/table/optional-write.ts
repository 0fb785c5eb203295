// An optional write of a transaction: under contention, the other writes proceed without it.
import { ConditionFailed, type Write } from './table.ts';

/** How many tries include the optional write; the others may be retried more often. */
const TRIES = 2;

/** The writes for `transact`, which throws ConditionFailed for the optional write also when it is given up. */
export function withOptional(optional: Write | undefined, writes: Write[]): () => Write[] {
  let tries = 0;
  return () => {
    tries += 1;
    if (optional && tries > TRIES) throw new ConditionFailed(writes.indexOf(optional), optional);
    return writes;
  };
}

/** Whether the optional write alone made the transaction fail. */
export function optionalFailed(optional: Write | undefined, error: unknown): boolean {
  return optional !== undefined && error instanceof ConditionFailed && error.write === optional;
}

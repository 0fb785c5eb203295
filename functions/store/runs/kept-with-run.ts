// The end of a run, on everything that is written with it.
import type { Expiring } from '../table/expiry.ts';
import type { Write } from '../table/table.ts';

/** The writes, with the end of the run on each item that has none of its own: what belongs to a run goes with it. */
export function keptWith({ expires_at_seconds }: Expiring, writes: Write[]): Write[] {
  if (expires_at_seconds === undefined) return writes;
  return writes.map((write) =>
    write.Put ? { Put: { ...write.Put, Item: { expires_at_seconds, ...write.Put.Item } } } : write,
  );
}

// The expiry of a run, on everything written with it.
import type { Expiring } from '../table/expiry.ts';
import type { Write } from '../table/table.ts';

/** The writes, with the run's expiry on each item that has none, so that everything expires together. */
export function withRunExpiry({ expires_at_seconds }: Expiring, writes: Write[]): Write[] {
  if (expires_at_seconds === undefined) return writes;
  return writes.map((write) =>
    write.Put ? { Put: { ...write.Put, Item: { expires_at_seconds, ...write.Put.Item } } } : write,
  );
}

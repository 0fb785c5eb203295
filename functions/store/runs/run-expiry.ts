// The expiry of a run: on everything written with it, and its end by the run's own config.
import type { RunConfig } from '#contract/runs.ts';
import type { Expiring } from '../table/expiry.ts';
import type { Write } from '../table/table.ts';
import { due, duePartition } from '../table/table-keys.ts';

/** The writes, with the run's expiry on each item that has none, so that everything expires together. */
export function withRunExpiry({ expires_at_seconds }: Expiring, writes: Write[]): Write[] {
  if (expires_at_seconds === undefined) return writes;
  return writes.map((write) =>
    write.Put ? { Put: { ...write.Put, Item: { expires_at_seconds, ...write.Put.Item } } } : write,
  );
}

interface Ending extends Expiring {
  id: string;
  config: RunConfig;
  completed_at?: number | undefined;
  log_finished: boolean;
}

/** What the commit that finishes a log adds: until when its run is retained, and when the sweep deletes it. */
export function endOfRetention(
  before: Pick<Ending, 'log_finished'>,
  run: Ending,
): { retained_until?: number; due_pk?: string; due_at?: number } {
  const { retain_seconds } = run.config;
  if (before.log_finished || !run.log_finished || run.completed_at === undefined) return {};
  const retained_until = retain_seconds === undefined ? undefined : run.completed_at + retain_seconds * 1000;
  const stageEnds = run.expires_at_seconds === undefined ? undefined : run.expires_at_seconds * 1000;
  const ends = [retained_until, stageEnds].filter((end) => end !== undefined);
  if (ends.length === 0) return {};
  return {
    ...(retained_until !== undefined && { retained_until }),
    due_pk: duePartition(due.runs, run.id),
    due_at: Math.min(...ends),
  };
}

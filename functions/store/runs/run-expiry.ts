// The expiry of a run: on everything written with it, and its end by the run's own config. When the sweep visits a run
// that has ended.
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

/** The sweep checks the log of about one ended run in this many. */
export const logSample = { one_in: 1000 };

/** How long after its end the log of a run is checked. */
const CHECK_AFTER_MS = 60_000;

/** Whether the log of a run is checked after its end. Its random id decides, so nothing is stored. */
export const isSampled = (runId: string) => Number.parseInt(runId.slice(0, 8), 16) % logSample.one_in === 0;

interface Ending extends Expiring {
  id: string;
  config: RunConfig;
  completed_at?: number | undefined;
  log_finished: boolean;
}

/** When the retention of an ended run is over; epoch ms, undefined: never. */
export function endOfRetention(run: Expiring & { retained_until?: number | undefined }): number | undefined {
  const stageEnds = run.expires_at_seconds === undefined ? undefined : run.expires_at_seconds * 1000;
  return earliest(run.retained_until, stageEnds);
}

/** What the commit that finishes a log adds: until when its run is retained, and when the sweep visits it. */
export function visitsAfterEnd(
  before: Pick<Ending, 'log_finished'>,
  run: Ending,
  now: number,
): { retained_until?: number; due_pk?: string; due_at?: number } {
  const { retain_seconds } = run.config;
  if (before.log_finished || !run.log_finished || run.completed_at === undefined) return {};
  const retained_until = retain_seconds === undefined ? undefined : run.completed_at + retain_seconds * 1000;
  const check = isSampled(run.id) ? now + CHECK_AFTER_MS : undefined;
  const due_at = earliest(endOfRetention({ ...run, retained_until }), check);
  if (due_at === undefined) return {};
  return {
    ...(retained_until !== undefined && { retained_until }),
    due_pk: duePartition(due.runs, run.id),
    due_at,
  };
}

function earliest(...times: (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

// How long everything is kept: the one table of kinds and days. What it does not name is kept until its workspace is purged.
import { limits } from './limits.ts';

/** Days from the writing of an item or of an object. */
export const retentionDays = {
  /** Events of a log, whatever becomes of their run. */
  event: limits.event_retention_days,
  /** The journaled calls of a step, which nothing but the end of the step or a resume reads again. */
  call: 90,
  /** What a workspace spent on a day; only the day itself is read. */
  day_cost: 90,
  /** Changes of records: an index that lags behind them is built anew. */
  record_change: 7,
  /** The mark of a file's import that nobody went on with. */
  file_import: 7,
  /** An idempotency key that has created no run. */
  claim: 1,
  /** Objects of a record index's snapshot; one in force is never so old, because the audit has one made anew after four days. */
  snapshot: 8,
} as const;

/** Days that the bucket keeps an object after it was replaced or deleted. */
export const oldVersionDays = { object: 30, snapshot: 1 } as const;

/**
 * Bounds of the stage setting that ends the lives of runs: so many days after its creation a run goes with all that belongs to it, its
 * idempotency key included. Less than 90 days would free the name of a run before Step Functions does.
 */
export const retainDays = { min: 90, max: 3650 } as const;

/** A run that has fewer days left can be read, but its checkpoints are no longer built upon: neither resume nor rerun begins with them. */
export const WORKABLE_DAYS = 7;

/** Objects of journaled calls lie under this prefix, and snapshots of record indexes under that: they go before the others. */
export const CALLS_PREFIX = 'calls/';
export const SNAPSHOTS_PREFIX = 'record-snapshots/';

// The retention of everything: the one table of kinds and days. Anything else lasts until its workspace is purged.
import { limits } from './limits.ts';

/** Days after an item or object is written. */
export const retentionDays = {
  /** Log events, whatever happens to their run. */
  event: limits.event_retention_days,
  /** Journaled calls of a step, which only the end of the step or a resume reads again. */
  call: 90,
  /** Entries of a workspace's audit. */
  audit: 400,
  /** What runs came to, for the usage of their workspace, from the day of their creation. */
  usage: 400,
  /** A workspace's spending on a day; only the current day is read. */
  day_cost: 90,
  /** Changes of records; an index that is further behind is rebuilt. */
  record_change: 7,
  /** The marker of an abandoned file import. */
  file_import: 7,
  /** Who took a name of a record; only writers at the same time read it. */
  name_claim: 1,
  /** A fire of a monitor, and the key of a request that made it. */
  fire: 30,
  /** A mark of changed records that no monitor has taken up. */
  change_mark: 7,
  /** An idempotency key that has created no run. */
  claim: 1,
  /** An idempotency key whose run was deleted; as long as Step Functions remembers the names of its executions. */
  freed_key: 90,
  /** Objects of an index snapshot. An active snapshot is at most 4 days old; the audit then replaces it. */
  snapshot: 8,
  /** What a reader of records has read of the changes of a second; a snapshot soon has them. */
  segment: 1,
  /** An answer of the records that was too large for a reply; its reader fetches it at once. */
  answer: 1,
} as const;

/** Days that the bucket retains a replaced or deleted object. */
export const oldVersionDays = { object: 30, snapshot: 1, segment: 1, answer: 1 } as const;

/**
 * Bounds of the stage setting that limits the life of runs: a run is deleted this many days after its creation with all
 * its data, its idempotency key included. Less than 90 days would free the run's name before Step Functions does.
 */
export const retainDays = { min: 90, max: 3650 } as const;

/** A run with fewer days left is readable, but its checkpoints can no longer start a resume or rerun. */
export const WORKABLE_DAYS = 7;

/** Prefixes of objects that expire earlier: journaled calls, index snapshots and segments, answers of the records. */
export const CALLS_PREFIX = 'calls/';
export const SNAPSHOTS_PREFIX = 'record-snapshots/';
export const SEGMENTS_PREFIX = 'record-segments/';
export const ANSWERS_PREFIX = 'record-answers/';

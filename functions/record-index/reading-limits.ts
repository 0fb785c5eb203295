// What one reading may do: checked while SQL runs, so that no reading outlasts its step or its canceled run.
import type { ErrorReason } from '#contract/error-reasons.ts';
import { limits } from '#contract/limits.ts';

/** What is left of the work that a step may do: time of its readings, and pairs of a record and a group. */
export interface Allowance {
  ms: number;
  pairs: number;
}

/** A reading that needs more than its step may do. */
export class TooCostly extends Error {
  readonly reason: ErrorReason<'step_too_costly'>;
  readonly limit: number;
  constructor(reason: ErrorReason<'step_too_costly'>, limit: number) {
    super(`too costly: ${reason}, at most ${limit}`);
    this.name = 'TooCostly';
    this.reason = reason;
    this.limit = limit;
  }
}

/** A reading that was interrupted. */
export class ReadingStopped extends Error {
  constructor() {
    super('the reading was stopped');
    this.name = 'ReadingStopped';
  }
}

/** The limits of one reading and what it has used so far. */
export interface Reading {
  /** Throws TooCostly when the time is used, ReadingStopped when it is to stop. */
  check(): void;
  /** Counts the groups that one record is about to count under. Throws TooCostly. */
  countGroups(groups: number): void;
  used(): Allowance;
}

/** The allowance of a step. */
export const stepAllowance: Readonly<Allowance> = {
  ms: limits.step_reading_max_ms,
  pairs: limits.step_pairs_max,
};

/** A reading within an allowance. `nowMs` is a clock, `isStopped` says whether the answer is still wanted. */
export function createReading(
  allowance: Allowance,
  { nowMs, isStopped }: { nowMs: () => number; isStopped: () => boolean },
): Reading {
  const startedAt = nowMs();
  let pairs = 0;
  return {
    check() {
      if (isStopped()) throw new ReadingStopped();
      if (nowMs() - startedAt > allowance.ms) throw new TooCostly('time', stepAllowance.ms);
    },
    countGroups(groups) {
      if (groups > limits.groups_per_record_max)
        throw new TooCostly('groups_per_record', limits.groups_per_record_max);
      pairs += groups;
      if (pairs > allowance.pairs) throw new TooCostly('pairs', stepAllowance.pairs);
    },
    used: () => ({ ms: nowMs() - startedAt, pairs }),
  };
}

/** The reading of this thread: SQLite is synchronous, so there is one at a time. */
let current: Reading | undefined;

/** Does synchronous work within the limits of a reading. */
export function within<T>(reading: Reading, work: () => T): T {
  current = reading;
  try {
    return work();
  } finally {
    current = undefined;
  }
}

let counted = 0;

/** Counts a row while SQLite sorts: as a part of a sort key it is called once for each; all rows are equal by it. */
export function countRow(): number {
  counted += 1;
  return 0;
}

/** Does synchronous work; returns its result, and how many rows it counted. */
export function countingRows<T>(work: () => T): { result: T; rows: number } {
  counted = 0;
  const result = work();
  return { result, rows: counted };
}

/** Call it for each row. Throws what the present reading throws. */
export function checkReading(): void {
  current?.check();
}

/** Call it for each record before its groups are made. Throws what the present reading throws. */
export function countGroups(groups: number): void {
  current?.countGroups(groups);
}

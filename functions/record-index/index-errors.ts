// How an operation on an index fails: thrown in the thread that has the files, and again in the one that asked.
import type { ErrorReason } from '#contract/error-reasons.ts';
import type { FileName } from './files.ts';
import { TooCostly } from './reading-limits.ts';

/** Others keep a file locked, or are about to level it: a later try may find it free. */
export class IndexBusy extends Error {
  override readonly name = 'IndexBusy';
}

/** A file is damaged or not an index of this version: remove and rebuild it. */
export class IndexDamaged extends Error {
  override readonly name = 'IndexDamaged';
}

/** Parts of its snapshot that a restored index lacks. */
export interface Absent {
  /** The path of the core. */
  file: string;
  files: FileName[];
  /** Numbers of blocks of bodies. */
  blocks: number[];
}

/** An index lacks parts of its snapshot that the operation needs: add them, and try again. */
export class IndexIncomplete extends Error {
  override readonly name = 'IndexIncomplete';
  readonly absent: Absent;
  constructor(absent: Absent) {
    super(`the index lacks parts of its snapshot: ${absent.files.join(', ')}`);
    this.absent = absent;
  }
}

/** An error as it passes between threads. */
export type Failure =
  | { kind: 'busy' | 'damaged' | 'other'; message: string }
  | { kind: 'incomplete'; absent: Absent }
  | { kind: 'too_costly'; reason: ErrorReason<'step_too_costly'>; limit: number };

/** Whether an error says that a file is damaged or not an index of this version. */
export const isDamage = (error: unknown): boolean =>
  error instanceof IndexDamaged || says(error, /malformed|not a database|no such (table|column)/);

/** SQLite's errors differ in their texts alone. */
const says = (error: unknown, text: RegExp) => error instanceof Error && text.test(error.message);

/** The failure that an error is. */
export function failureOf(error: unknown): Failure {
  if (error instanceof IndexIncomplete) return { kind: 'incomplete', absent: error.absent };
  if (error instanceof TooCostly) return { kind: 'too_costly', reason: error.reason, limit: error.limit };
  const isBusy = error instanceof IndexBusy || says(error, /database (table )?is locked/);
  const message = error instanceof Error ? error.message : String(error);
  return { kind: isDamage(error) ? 'damaged' : isBusy ? 'busy' : 'other', message };
}

/** The error that a failure is. */
export function errorOf(failure: Failure): Error {
  switch (failure.kind) {
    case 'incomplete':
      return new IndexIncomplete(failure.absent);
    case 'too_costly':
      return new TooCostly(failure.reason, failure.limit);
    case 'busy':
      return new IndexBusy(failure.message);
    case 'damaged':
      return new IndexDamaged(failure.message);
    case 'other':
      return new Error(failure.message);
  }
}

// The time limit of a request: its function replies before Lambda ends it.
import type { Context } from 'aws-lambda';
import { withinTime } from '#platform/deadline.ts';

/** Time reserved to send the reply. A function that times out is killed without replying. */
export const REPLY_MS = 2_000;

/** The function's time was nearly up. */
export class TooLate extends Error {
  constructor() {
    super('the time of the function is up');
    this.name = 'TooLate';
  }
}

/** The result of `work`; throws TooLate when the time of the invocation is up first. */
export function inTime<T>(context: Context, work: Promise<T>): Promise<T> {
  return withinTime(work, context.getRemainingTimeInMillis() - REPLY_MS, () => new TooLate());
}

// The end of a request that takes longer than its function may run: it is answered in time, as trouble that passes.
import type { Context } from 'aws-lambda';

/** Left for the answer, on a machine that is slow enough to need it. Killed by its timeout, a function would lose all requests that it had in hand, and start anew. */
export const ANSWER_MS = 2_000;

/** The function's time was nearly up. */
export class TooLate extends Error {
  constructor() {
    super('the time of the function is up');
    this.name = 'TooLate';
  }
}

/** What `work` gives; throws TooLate when the time of the invocation is up before. */
export async function inTime<T>(context: Context, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TooLate()),
      Math.max(0, context.getRemainingTimeInMillis() - ANSWER_MS),
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

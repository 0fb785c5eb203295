// Trouble of AWS services, told from errors of our own: it passes, so work is tried again for long before it is given up.

/** A service did not answer, failed or refused for want of capacity. The state machine knows it by its name. */
export class ServiceTrouble extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ServiceTrouble';
  }
}

/** Refusals that pass by themselves, though the services put them down to the caller. */
const PASSING = /Throttl|Throughput|TooManyRequests|LimitExceeded|Conflict|InProgress|TransactionCanceled/;

/** Whether an error is such trouble: our own ServiceTrouble, or what the SDK throws when its tries are used up. */
export function isServiceTrouble(error: unknown): error is Error {
  if (error instanceof ServiceTrouble) return true;
  if (!(error instanceof Error) || !('$metadata' in error)) return false;
  const status = statusOf(error.$metadata);
  return status === undefined || status >= 500 || PASSING.test(error.name);
}

/** The HTTP status of the last answer; undefined when none came. */
function statusOf(metadata: unknown): number | undefined {
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}

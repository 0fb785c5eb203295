// Trouble of AWS services, as opposed to errors of our own: it passes, so work is retried for a long time.

/** A service did not reply, failed, or refused for lack of capacity. The state machine matches the name. */
export class ServiceTrouble extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ServiceTrouble';
  }
}

/** Refusals that pass by themselves, although the services blame the caller. */
const PASSING = /Throttl|Throughput|TooManyRequests|LimitExceeded|Conflict|InProgress|TransactionCanceled/;

/** Whether an error is such trouble: our own ServiceTrouble, or what the SDK throws after its last attempt. */
export function isServiceTrouble(error: unknown): error is Error {
  if (error instanceof ServiceTrouble) return true;
  if (!(error instanceof Error) || !('$metadata' in error)) return false;
  const status = statusOf(error.$metadata);
  return status === undefined || status >= 500 || PASSING.test(error.name);
}

/** The HTTP status of the last reply; undefined without one. */
function statusOf(metadata: unknown): number | undefined {
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}

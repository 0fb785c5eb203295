// Trace ids: one id connects a request, its run and the webhook, in every line that they log.
import { optionalEnv } from './env.ts';
import { randomHex } from './ids.ts';

/** The id of the trace in a header of X-Ray, or undefined. */
export function traceIn(header: string | undefined): string | undefined {
  return header?.match(/Root=([^;]+)/)?.[1];
}

/** The trace of the current request: that of X-Ray for this invocation, else a new one of the same form. */
export function requestTrace(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return traceIn(optionalEnv('_X_AMZN_TRACE_ID')) ?? `1-${seconds}-${randomHex(24)}`;
}

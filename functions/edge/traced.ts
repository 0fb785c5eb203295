// The trace of a request, in all that its function logs and on the run that it creates.
import { logAbout } from '#platform/log.ts';
import { requestTrace } from '#platform/trace.ts';
import type { Stack } from './middleware.ts';

/** The stack within the trace of each of its requests. */
export function traced<R>(stack: Stack<R>): Stack<R> {
  return (event, context) => logAbout({ trace_id: requestTrace() }, () => stack(event, context));
}

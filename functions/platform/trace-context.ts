// Trace contexts (W3C Trace Context): the ids that connect a caller's trace, that of a run, and its receivers'.
import { sha256Hex } from './crypto.ts';

const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = '01';

/** The trace context in a header, in the form of version 00; undefined for a missing or malformed one. */
export function traceparentOf(header: string | undefined): string | undefined {
  const [, version, trace, span, flags, more] = TRACEPARENT.exec(header?.trim() ?? '') ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  return `00-${trace}-${span}-${flags}`;
}

/** The trace of a run. Its ids follow from those of the run, so nothing is stored for it. */
export interface RunTrace {
  trace_id: string;
  /** The caller's span that created the run. */
  parent_span_id: string | undefined;
  flags: string;
}

/** The trace of a run: the one of its creation, else its own. */
export function runTraceOf({ id, traceparent }: { id: string; traceparent?: string | undefined }): RunTrace {
  const [, trace_id = id.replaceAll('-', ''), parent_span_id, flags = SAMPLED] =
    traceparent?.split('-') ?? [];
  return { trace_id, parent_span_id, flags };
}

/** The id of a span of a run, by what it is about. */
export function spanId(runId: string, ...about: (string | number)[]): string {
  return sha256Hex([runId, ...about].join('/')).slice(0, 16);
}

/** The `traceparent` that a receiver of an attempt to deliver continues. */
export function attemptTraceparent(
  run: { id: string; traceparent?: string | undefined },
  eventId: string,
  attempt: number,
): string {
  const { trace_id, flags } = runTraceOf(run);
  return `00-${trace_id}-${attemptSpanId(run.id, eventId, attempt)}-${flags}`;
}

/** The id of the span of an attempt to deliver. */
export const attemptSpanId = (runId: string, eventId: string, attempt: number): string =>
  spanId(runId, 'delivery', eventId, attempt);

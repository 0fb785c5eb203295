// The trace of a run: that of the request that created it.
import { logAlso } from '#platform/log.ts';
import type { RunRecord } from '#store/runs/run-record.ts';

/** The ids that connect work for a run with its request. */
export const traceOf = ({ trace_id, request_id }: Pick<RunRecord, 'trace_id' | 'request_id'>) => ({
  trace_id,
  request_id,
});

/** Adds the trace of the run to all further log lines of this task. */
export function followTrace(run: Pick<RunRecord, 'trace_id' | 'request_id'>): void {
  logAlso(traceOf(run));
}

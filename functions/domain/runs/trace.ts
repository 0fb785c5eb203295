// The trace of a run: that of the request which created it.
import { logAlso } from '#platform/log.ts';
import type { RunRecord } from '#store/runs/runs.ts';

/** The ids that connect what is done for a run with the request. */
export const traceOf = ({ trace_id, request_id }: Pick<RunRecord, 'trace_id' | 'request_id'>) => ({
  trace_id,
  request_id,
});

/** From here on every line that the work at hand logs carries the trace of the run. */
export function followTrace(run: Pick<RunRecord, 'trace_id' | 'request_id'>): void {
  logAlso(traceOf(run));
}

// The trace of a run whose log has ended, for the operator's collector (rules.md: traces 4).
import type { TraceMessage } from '#orchestration/delivery-queue.ts';
import { postTrace } from '#outbound/post-trace.ts';
import { env } from '#platform/env.ts';
import { log } from '#platform/log.ts';
import * as runs from '#store/runs/runs.ts';
import { traceOfRun } from './run-trace.ts';

/**
 * Posts the trace; false: the message must stay on the queue. A collector that refuses it for good, or a run that is
 * gone, ends the matter. A repeated message repeats the same spans.
 */
export async function exportTrace({ workspace_id, run_id }: TraceMessage): Promise<boolean> {
  const run = await runs.get(workspace_id, run_id);
  if (!run) return true;
  const outcome = await postTrace(env('OTLP_ENDPOINT'), await traceOfRun(run));
  log.info('trace posted', { run_id, outcome });
  return outcome !== 'later';
}

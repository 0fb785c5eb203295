// The work after the last commit of a run.
import { releaseReservation } from '#domain/billing/reservations.ts';
import { pushMonitor } from '#domain/runs/push-monitor.ts';
import { traceOf } from '#domain/runs/trace.ts';
import { isUnchanged } from '#domain/runs/transitions.ts';
import { enqueueAttempt, enqueueTrace } from '#orchestration/delivery-queue.ts';
import { optionalEnv } from '#platform/env.ts';
import { eventId } from '#store/runs/events.ts';
import type { EndedRun } from '#store/runs/run-record.ts';
import type { FirstAttempt } from '#store/runs/work.ts';

/**
 * Releases the slot and unused credits of an ended run, unless its last commit did, and queues its webhook and its
 * trace, where traces are exported. Safe to repeat. `first` is for the message of its webhook. After a crash before
 * this, the next try of the task does it, or else the next create that needs the slot, and the sweep for the webhook.
 */
export async function finalizeRun(run: EndedRun, first: FirstAttempt = {}): Promise<void> {
  const webhook = run.config.callback_url !== undefined && run.status !== 'canceled' && !isUnchanged(run);
  const about = { workspace_id: run.workspace_id, run_id: run.id, ...traceOf(run) };
  const event_id = eventId(run.id, run.last_sequence);
  await Promise.all([
    releaseReservation(run),
    webhook && enqueueAttempt({ ...about, event_id, attempt: 1, ...first }, 0),
    optionalEnv('TRACE_QUEUE_URL') !== undefined && enqueueTrace({ ...about, send: 'trace' }),
  ]);
  // After the release: what waits for this run needs its slot.
  await pushMonitor(run);
}

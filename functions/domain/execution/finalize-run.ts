// The work after the last commit of a run.
import { releaseReservation } from '#domain/billing/reservations.ts';
import { traceOf } from '#domain/runs/trace.ts';
import { enqueueAttempt } from '#orchestration/delivery-queue.ts';
import { eventId } from '#store/runs/events.ts';
import type { EndedRun } from '#store/runs/runs.ts';

/**
 * Releases the slot and unused credits of an ended run, unless its last commit did, and queues its webhook, with
 * `unrotated_at` in the message. Safe to repeat. After a crash before this, the next create that needs the slot
 * releases it, and the sweep queues the webhook.
 */
export async function finalizeRun(run: EndedRun, unrotated_at?: number): Promise<void> {
  const webhook = run.config.callback_url !== undefined && run.status !== 'canceled';
  const message = {
    workspace_id: run.workspace_id,
    run_id: run.id,
    event_id: eventId(run.id, run.last_sequence),
    attempt: 1,
    unrotated_at,
    ...traceOf(run),
  };
  await Promise.all([releaseReservation(run), webhook ? enqueueAttempt(message, 0) : undefined]);
}

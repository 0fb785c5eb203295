// What is set right once a run has ended.

import { releaseOf } from '#domain/billing/reservations.ts';
import { enqueueAttempt } from '#orchestration/delivery-queue.ts';
import { eventId } from '#store/events.ts';
import type { RunRecord } from '#store/runs.ts';

/**
 * What follows an end: the slot and unused credits go back, the webhook goes to the queue. Both may be repeated; when this never
 * happens, the next create that is short of a slot, or the sweep, makes up for it.
 */
export async function settle(run: RunRecord): Promise<void> {
  const webhook = run.config.callback_url !== undefined && run.status !== 'canceled';
  const message = {
    workspace_id: run.workspace_id,
    run_id: run.id,
    event_id: eventId(run.id, run.last_sequence),
    attempt: 1,
  };
  await Promise.all([releaseOf(run), webhook ? enqueueAttempt(message, 0) : undefined]);
}

// Redelivers a webhook at the request of a caller.
import { fail } from '#contract/errors.ts';
import type { Delivery } from '#contract/webhooks.ts';
import { findRun } from '#domain/runs/find-run.ts';
import { traceOf } from '#domain/runs/trace.ts';
import { enqueueAttempt } from '#orchestration/delivery-queue.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import { toDelivery } from './list-deliveries.ts';

/**
 * Schedules one more attempt now, with the same event id; a pending delivery is returned unchanged. Throws
 * run_not_found, delivery_not_found (rules.md: webhooks 4).
 */
export async function redeliver(
  workspaceId: string,
  runId: string | undefined,
  eventId: string | undefined,
): Promise<Delivery> {
  const run = await findRun(workspaceId, runId);
  const known = (await deliveries.list(workspaceId, run.id)).find(({ event_id }) => event_id === eventId);
  if (!known) throw fail('delivery_not_found');
  const key = { workspace_id: workspaceId, run_id: run.id, event_id: known.event_id };
  const reopened = await deliveries.reopen(key, Date.now() + deliveries.QUEUE_GRACE_MS);
  if (!reopened) return toDelivery((await deliveries.get(key)) ?? known);
  await enqueueAttempt({ ...key, attempt: reopened.next_attempt, ...traceOf(run) }, 0);
  return toDelivery(reopened);
}

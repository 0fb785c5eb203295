// Redelivers a webhook at the request of a caller.
import { fail } from '#contract/errors.ts';
import type { Delivery } from '#contract/webhooks.ts';
import { findRun } from '#domain/runs/find-run.ts';
import { traceOf } from '#domain/runs/trace.ts';
import { enqueueAttempt } from '#orchestration/delivery-queue.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import { takesEffect, transact } from '#store/table/table.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import { toDelivery } from './list-deliveries.ts';
import { nextAttempt, restSeconds } from './next-attempt.ts';

/**
 * Schedules one more attempt with the same event id, now or when the delivery has rested from the last one; a pending
 * delivery is returned unchanged. The sweep sends a message that a crash loses. Throws run_not_found,
 * delivery_not_found (rules.md: webhooks 4, webhooks 9).
 */
export async function redeliver(
  workspaceId: string,
  runId: string | undefined,
  eventId: string | undefined,
  by: Actor,
): Promise<Delivery> {
  const run = await findRun(workspaceId, runId);
  for (;;) {
    const known = (await deliveries.list(workspaceId, run.id)).find(({ event_id }) => event_id === eventId);
    if (!known) throw fail('delivery_not_found');
    if (known.status === 'pending') return toDelivery(known);
    const now = Date.now();
    const delaySeconds = restSeconds(known, now);
    const reopened = transact([
      deliveries.reopenWrite(known, now + delaySeconds * 1000 + deliveries.QUEUE_GRACE_MS),
      auditWrite(workspaceId, by, 'webhook.redeliver', known.event_id),
    ]);
    // Another redelivery was faster: look again.
    if (!(await takesEffect(reopened))) continue;
    await enqueueAttempt({ ...nextAttempt({ ...known, redelivered: true }), ...traceOf(run) }, delaySeconds);
    return toDelivery({ ...known, status: 'pending' });
  }
}

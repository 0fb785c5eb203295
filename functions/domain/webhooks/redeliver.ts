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

/**
 * Schedules one more attempt now, with the same event id; a pending delivery is returned unchanged. If a crash loses the
 * message, the sweep sends it. Throws run_not_found, delivery_not_found (rules.md: webhooks 4).
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
    const { event_id, next_attempt } = known;
    const reopened = transact([
      deliveries.reopenWrite(known, Date.now() + deliveries.QUEUE_GRACE_MS),
      auditWrite(workspaceId, by, 'webhook.redeliver', event_id),
    ]);
    // Another redelivery was faster: look again.
    if (!(await takesEffect(reopened))) continue;
    const key = { workspace_id: workspaceId, run_id: run.id, event_id };
    await enqueueAttempt({ ...key, attempt: next_attempt, ...traceOf(run) }, 0);
    return toDelivery({ ...known, status: 'pending' });
  }
}

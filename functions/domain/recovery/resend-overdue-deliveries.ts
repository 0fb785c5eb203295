// Webhook deliveries whose queue message was lost: the sweep queues them again.
import { traceOf } from '#domain/runs/trace.ts';
import { nextAttempt } from '#domain/webhooks/next-attempt.ts';
import { enqueueAttempt } from '#orchestration/delivery-queue.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import * as runs from '#store/runs/runs.ts';
import { type DueItem, postpone } from '#store/table/due.ts';
import { deliveryOfKey, due } from '#store/table/table-keys.ts';
import { type Repairs, repairDue, type SweepTime } from './repair-due.ts';

/** How long a delivery that was queued again is left to the queue. */
const PATIENCE_MS = 5 * 60_000;

/**
 * Queues the next attempt of every delivery that is due. A duplicate message is harmless, because attempts are claimed.
 */
export function resendOverdueDeliveries(time: SweepTime): Promise<Repairs> {
  return repairDue(due.deliveries, time, (item) => resend(item, time.now));
}

async function resend(item: DueItem, now: number): Promise<Partial<Repairs>> {
  const key = deliveryOfKey(item);
  const delivery = await deliveries.get(key);
  // The index lags behind the table.
  if (delivery?.due_at !== item.due_at) return {};
  const run = await runs.get(key.workspace_id, key.run_id);
  await enqueueAttempt({ ...nextAttempt(delivery), ...(run && traceOf(run)) }, 0);
  await postpone(item, now + PATIENCE_MS);
  return { deliveries_resent: 1 };
}

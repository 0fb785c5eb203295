// Webhook deliveries whose queue message was lost: the sweep queues them again.
import type { DeliveryKey } from '#contract/keys.ts';
import { enqueueAttempt } from '#orchestration/delivery-queue.ts';
import { settleAll } from '#platform/settle-all.ts';
import * as deliveries from '#store/deliveries.ts';
import { dueDeliveries } from '#store/due.ts';

const MAX_AT_ONCE = 1000;
const IN_PARALLEL = 20;
/** How long a delivery that was queued again is left to the queue. */
const PATIENCE_MS = 5 * 60_000;

/**
 * Queues the next attempt of every delivery that was due before `nowMs`; returns how many. A duplicate message is harmless, because
 * attempts are claimed. Throws the first failure after all deliveries were tried.
 */
export async function resendOverdueDeliveries(nowMs: number): Promise<number> {
  const overdue = await dueDeliveries(nowMs, MAX_AT_ONCE);
  const resent = await settleAll(overdue, IN_PARALLEL, (key) => resend(key, nowMs));
  return resent.filter(Boolean).length;
}

async function resend(key: DeliveryKey, nowMs: number): Promise<boolean> {
  const delivery = await deliveries.get(key);
  // The index lags behind the table.
  if (delivery?.status !== 'pending' || (delivery.due_at ?? 0) >= nowMs) return false;
  await enqueueAttempt({ ...key, attempt: delivery.next_attempt }, 0);
  await deliveries.postpone(key, delivery.next_attempt, nowMs + PATIENCE_MS);
  return true;
}

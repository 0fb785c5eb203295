// Redelivers failed webhooks of a workspace (rules.md: webhooks 8).
import { limits } from '#contract/limits.ts';
import type { Redelivered } from '#contract/webhooks.ts';
import { enqueueAttempt } from '#orchestration/delivery-queue.ts';
import { chunks } from '#platform/chunks.ts';
import { settleAll } from '#platform/settle-all.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import type { DeliveryRange, ListedDelivery } from '#store/runs/delivery-list.ts';
import * as deliveryList from '#store/runs/delivery-list.ts';
import { takesEffect, transact, type Write } from '#store/table/table.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import { nextAttempt, restSeconds } from './next-attempt.ts';

/** A transaction takes 100 actions, and one of them is the entry of the audit. */
const TRANSACTION_MAX = limits.redelivered_max / 2;
const AT_ONCE = 10;

/**
 * Schedules one more attempt for the oldest failed deliveries of a range. The first transaction has the entry of the
 * audit, so a crash leaves no attempt without it; messages that a crash loses are sent by the sweep.
 */
export async function redeliverFailed(
  workspaceId: string,
  range: DeliveryRange,
  by: Actor,
): Promise<Redelivered> {
  const { listed, more } = await deliveryList.page(workspaceId, 'oldest failed', {
    ...range,
    limit: limits.redelivered_max,
  });
  let redelivered = 0;
  for (const some of chunks(listed, TRANSACTION_MAX)) {
    const entry = redelivered === 0 ? [auditWrite(workspaceId, by, 'webhook.redeliver', '*')] : [];
    const reopened = await reopen(some, entry);
    redelivered += reopened.length;
    await settleAll(reopened, AT_ONCE, (delivery) =>
      enqueueAttempt(nextAttempt({ ...delivery, redelivered: true }), restSeconds(delivery, Date.now())),
    );
  }
  return { redelivered, has_more: more };
}

/** Reopens those that are still failed, and returns them. */
async function reopen(some: ListedDelivery[], entry: Write[]): Promise<deliveries.DeliveryRecord[]> {
  for (;;) {
    const failed = (await deliveries.getMany(some)).filter(({ status }) => status === 'failed');
    if (failed.length === 0) return [];
    const now = Date.now();
    const writes = failed.map((delivery) =>
      deliveries.reopenWrite(delivery, now + restSeconds(delivery, now) * 1000 + deliveries.QUEUE_GRACE_MS),
    );
    // Another redelivery may be faster: look again.
    if (await takesEffect(transact([...writes, ...entry]))) return failed;
  }
}

// The delivery log of a run, as callers see it.
import type { Delivery } from '#contract/webhooks.ts';
import { findRun } from '#domain/runs/find-run.ts';
import { isUuid } from '#platform/crypto.ts';
import * as deliveries from '#store/runs/deliveries.ts';

/** The deliveries of a run with their attempts, oldest first. Throws run_not_found (rules.md: webhooks 4). */
export async function listDeliveries(workspaceId: string, runId: string | undefined): Promise<Delivery[]> {
  const found = isUuid(runId) ? await deliveries.list(workspaceId, runId.toLowerCase()) : [];
  // Read last: a delete in between removes the run too, so it never looks like a run without any (rules.md: reads 10).
  await findRun(workspaceId, runId);
  return found.map(toDelivery);
}

/** A delivery without its private fields: body, key and claim. */
export function toDelivery(record: deliveries.DeliveryRecord): Delivery {
  const { event_id, event_type, url, status, attempts } = record;
  return { event_id, event_type, url, status, attempts };
}

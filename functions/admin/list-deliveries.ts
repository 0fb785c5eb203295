// Command `delivery.list`: the webhook deliveries of a run in any workspace.
import type { Delivery } from '#contract/webhooks.ts';
import { toDelivery } from '#domain/webhooks/list-deliveries.ts';
import * as deliveries from '#store/deliveries.ts';
import { findRun } from './find-run.ts';

/** The deliveries of a run, oldest first, with every attempt; none while the page from after `after` lacks it (`next`). Throws AdminError `run_not_found`. */
export async function listDeliveries(
  runId: string,
  after: string | undefined,
): Promise<{ deliveries: Delivery[]; next?: string | undefined }> {
  const { run, next } = await findRun(runId, after);
  const found = run ? await deliveries.list(run.workspace_id, run.id) : [];
  return { deliveries: found.map(toDelivery), next };
}

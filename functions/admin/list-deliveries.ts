// Command `delivery.list`: the webhook deliveries of a run in any workspace.
import type { Delivery } from '#contract/webhooks.ts';
import { toDelivery } from '#domain/webhooks/list-deliveries.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import * as runs from '#store/runs/runs.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';

/**
 * The deliveries of a run, oldest first, with every attempt. Each call searches one page of workspaces after `after`;
 * while the run is not found, the next call continues from `next`. Throws AdminError `run_not_found` after the last
 * page.
 */
export async function listDeliveries(
  runId: string,
  after: string | undefined,
): Promise<{ deliveries: Delivery[]; next?: string | undefined }> {
  const { ids, next } = await workspaces.idPage(after);
  const run = await runs.findAnywhere(ids, runId);
  if (run) return { deliveries: (await deliveries.list(run.workspace_id, run.id)).map(toDelivery) };
  if (next === undefined) throw new AdminError('run_not_found', `There is no run ${runId}.`);
  return { deliveries: [], next };
}

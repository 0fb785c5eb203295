// Command `delivery.list`: the webhook deliveries of a run in any workspace.
import type { Delivery } from '#contract/webhooks.ts';
import { toDelivery } from '#domain/webhooks/list-deliveries.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import * as deliveries from '#store/deliveries.ts';
import * as runs from '#store/runs.ts';
import * as workspaces from '#store/workspaces.ts';

/** The deliveries of a run, oldest first, with every attempt. Throws AdminError `run_not_found`. */
export async function listDeliveries(runId: string): Promise<{ deliveries: Delivery[] }> {
  const run = await runs.findAnywhere(await workspaces.listIds(), runId);
  if (!run) throw new AdminError('run_not_found', `There is no run ${runId}.`);
  return { deliveries: (await deliveries.list(run.workspace_id, run.id)).map(toDelivery) };
}

// GET /runs/{id}/webhook-deliveries
import { listDeliveries } from '#domain/webhooks/list-deliveries.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

/** Lists the webhook deliveries of a run with their attempts (rules.md: webhooks 4). */
export const route = api('ListDeliveries', byKey, async ({ caller, params }) =>
  reply(200, { object: 'list', data: await listDeliveries(caller.workspace.workspace_id, params.id) }),
);

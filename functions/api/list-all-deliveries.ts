// GET /webhook-deliveries
import { listWorkspaceDeliveries } from '#domain/webhooks/list-workspace.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('ListAllDeliveries', byKey, async ({ caller, query }) =>
  reply(200, await listWorkspaceDeliveries(caller.workspace.workspace_id, query)),
);

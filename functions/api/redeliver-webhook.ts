// POST /runs/{id}/webhook-deliveries/{event_id}/redeliver
import { redeliver } from '#domain/webhooks/redeliver.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

/** Makes a new delivery attempt for an event (rules.md: webhooks 4). */
export const handler = api('RedeliverWebhook', async ({ caller, params }) =>
  reply(202, await redeliver(caller.workspace.workspace_id, params.id, params.event_id)),
);

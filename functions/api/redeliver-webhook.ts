// POST /runs/{id}/webhook-deliveries/{event_id}/redeliver
import { actorOf } from '#domain/access/actor.ts';
import { redeliver } from '#domain/webhooks/redeliver.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

/** Makes a new delivery attempt for an event (rules.md: webhooks 4). */
export const route = api('RedeliverWebhook', byKey, async (call) => {
  const { caller, params } = call;
  const { workspace_id } = caller.workspace;
  return reply(202, await redeliver(workspace_id, params.id, params.event_id, actorOf(call)));
});

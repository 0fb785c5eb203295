// POST /webhook-deliveries/redeliver
import { RedeliverFailed } from '#contract/webhooks.ts';
import { actorOf } from '#domain/access/actor.ts';
import { redeliverFailed } from '#domain/webhooks/redeliver-failed.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { reply } from '#edge/replies.ts';

export const route = api('RedeliverFailed', byKey, async (call) => {
  const { status: _, ...range } = check(RedeliverFailed, await call.json());
  return reply(202, await redeliverFailed(call.caller.workspace.workspace_id, range, actorOf(call)));
});

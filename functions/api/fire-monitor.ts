// POST /monitors/{id}/fire
import { actorOf } from '#domain/access/actor.ts';
import { idempotencyKeyOf } from '#domain/commands/use-key.ts';
import { fireOnRequest } from '#domain/monitors/fire-on-request.ts';
import { api } from '#edge/api.ts';
import { byKeyWithCosts } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { created } from '#edge/replies.ts';
import { configuredModel } from '#models/configured-model.ts';

export const route = api('FireMonitor', byKeyWithCosts, async ({ request, request_id, caller, params }) => {
  const { workspace_id } = caller.workspace;
  const sent = request.headers['idempotency-key'];
  // The monitor is part of the request: the same idempotency key on another one is another request.
  const idempotency = await idempotencyKeyOf(sent, 'fires', workspace_id, { monitor_id: params.id });
  const asked = { caller, monitor_id: params.id, by: actorOf({ caller, request_id }), idempotency };
  const { fire, replayed } = await fireOnRequest(asked, { model: configuredModel(), check });
  return created(fire, replayed);
});

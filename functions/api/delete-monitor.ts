// DELETE /monitors/{id}
import { actorOf } from '#domain/access/actor.ts';
import { deleteMonitor } from '#domain/monitors/manage.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('DeleteMonitor', byKey, async (call) => {
  await deleteMonitor(call.caller, call.params.id, actorOf(call));
  return reply(204, undefined);
});

// DELETE /entities/{id}
import { actorOf } from '#domain/access/actor.ts';
import { deleteEntity } from '#domain/records/delete-entities.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('DeleteEntity', byKey, async (call) => {
  await deleteEntity(call.caller.workspace, call.params.id, actorOf(call));
  return reply(204, undefined);
});

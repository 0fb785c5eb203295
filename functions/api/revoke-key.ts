// DELETE /keys/{id}
import { actorOf } from '#domain/access/actor.ts';
import { revokeKey } from '#domain/workspaces/manage-keys.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('RevokeKey', byKey, async (call) => {
  await revokeKey(call.caller, call.params.id, actorOf(call));
  return reply(204, undefined);
});

// DELETE /runs/{id}
import { actorOf } from '#domain/access/actor.ts';
import { deleteRun } from '#domain/erasure/delete-run.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('DeleteRun', byKey, async (call) => {
  const { caller, params } = call;
  await deleteRun(caller.workspace.workspace_id, params.id, actorOf(call));
  return reply(204, undefined);
});

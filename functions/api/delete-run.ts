// DELETE /runs/{id}
import { actorOf } from '#domain/access/actor.ts';
import { deleteRun } from '#domain/erasure/delete-run.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('DeleteRun', async (call) => {
  const { caller, params } = call;
  await deleteRun(caller.workspace.workspace_id, params.id, actorOf(call));
  return reply(204, undefined);
});

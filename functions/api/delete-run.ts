// DELETE /runs/{id}
import { deleteRun } from '#domain/erasure/delete-run.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('DeleteRun', async ({ caller, params }) => {
  await deleteRun(caller.workspace.workspace_id, params.id);
  return reply(204, undefined);
});

// DELETE /monitors/{id}
import { deleteMonitor } from '#domain/monitors/manage.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('DeleteMonitor', async ({ caller, params }) => {
  await deleteMonitor(caller.workspace.workspace_id, params.id);
  return reply(204, undefined);
});

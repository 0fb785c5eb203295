// GET /monitors/{id}/fires
import { findMonitor } from '#domain/monitors/find-monitor.ts';
import { listFires } from '#domain/monitors/views.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('ListFires', byKey, async ({ caller, params, query }) => {
  const { monitor } = await findMonitor(caller.workspace.workspace_id, params.id);
  return reply(200, await listFires(monitor, query));
});

// GET /monitors
import { listMonitors } from '#domain/monitors/views.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('ListMonitors', byKey, async ({ caller, query }) =>
  reply(200, await listMonitors(caller.workspace.workspace_id, query)),
);

// GET /monitors/{id}
import { findMonitor } from '#domain/monitors/find-monitor.ts';
import { toMonitor } from '#domain/monitors/views.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('GetMonitor', byKey, async ({ caller, params }) =>
  reply(200, await toMonitor(await findMonitor(caller.workspace.workspace_id, params.id))),
);

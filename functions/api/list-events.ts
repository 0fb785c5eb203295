// GET /runs/{id}/events
import { eventPage } from '#domain/events/page.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('ListEvents', async ({ caller, params, query }) =>
  reply(200, await eventPage(caller.workspace.workspace_id, params.id, query)),
);

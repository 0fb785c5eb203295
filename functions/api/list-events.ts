// GET /runs/{id}/events
import { eventPage } from '#domain/events/page.ts';
import { findRun } from '#domain/runs/find-run.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('ListEvents', async ({ caller, params, query }) => {
  const run = await findRun(caller.workspace.workspace_id, params.id);
  return reply(200, await eventPage(run, query));
});

// GET /runs
import { listRuns } from '#domain/runs/list-runs.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('ListRuns', async ({ caller, query }) =>
  reply(200, await listRuns(caller.workspace, query)),
);

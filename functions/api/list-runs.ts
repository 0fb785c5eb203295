// GET /runs
import { listRuns } from '#domain/runs/list-runs.ts';
import { api } from './middleware/api.ts';
import { reply } from './middleware/replies.ts';

export const handler = api('ListRuns', async ({ caller, query }) =>
  reply(200, await listRuns(caller.workspace.workspace_id, query)),
);

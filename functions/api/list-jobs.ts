// GET /jobs
import { listJobs } from '#domain/jobs/list-jobs.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('ListJobs', byKey, async ({ caller, query }) =>
  reply(200, await listJobs(caller.workspace.workspace_id, query)),
);

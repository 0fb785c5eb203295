// GET /jobs/{id}
import { getJob } from '#domain/jobs/views.ts';
import { api } from '#edge/api.ts';
import { byKeyOrJobToken } from '#edge/job-caller.ts';
import { reply } from '#edge/replies.ts';

export const route = api('GetJob', byKeyOrJobToken, async ({ job, by_token }) =>
  reply(200, await getJob(job, by_token)),
);

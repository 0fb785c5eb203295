// POST /jobs/{id}/complete
import { CompleteJob } from '#contract/jobs.ts';
import { completeJob } from '#domain/jobs/messages.ts';
import { api } from '#edge/api.ts';
import { byKeyOrJobToken } from '#edge/job-caller.ts';
import { reply } from '#edge/replies.ts';
import { withItems } from './job-items.ts';

export const route = api('CompleteJob', byKeyOrJobToken, async ({ job, json }) =>
  reply(200, await completeJob(job, async () => withItems(CompleteJob, await json()))),
);

// POST /jobs/{id}/complete
import { CompleteJob } from '#contract/jobs.ts';
import { completeJob } from '#domain/jobs/messages.ts';
import { api } from '#edge/api.ts';
import { check } from '#edge/check-schema.ts';
import { byKeyOrJobToken } from '#edge/job-caller.ts';
import { reply } from '#edge/replies.ts';
import { checkItems } from './job-items.ts';

export const route = api('CompleteJob', byKeyOrJobToken, async ({ job, json }) => {
  const body = await json();
  const sent = check(CompleteJob, body);
  checkItems(body, sent.items);
  return reply(200, await completeJob(job, sent));
});

// POST /jobs/{id}/progress
import { ProgressJob } from '#contract/jobs.ts';
import { progressJob } from '#domain/jobs/messages.ts';
import { api } from '#edge/api.ts';
import { check } from '#edge/check-schema.ts';
import { byKeyOrJobToken } from '#edge/job-caller.ts';
import { reply } from '#edge/replies.ts';

export const route = api('ProgressJob', byKeyOrJobToken, async ({ job, json }) => {
  await progressJob(job, async () => check(ProgressJob, await json()));
  return reply(200, { status: 'open' });
});

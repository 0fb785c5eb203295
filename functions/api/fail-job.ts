// POST /jobs/{id}/fail
import { FailJob } from '#contract/jobs.ts';
import { failJob } from '#domain/jobs/messages.ts';
import { api } from '#edge/api.ts';
import { check } from '#edge/check-schema.ts';
import { byKeyOrJobToken } from '#edge/job-caller.ts';
import { reply } from '#edge/replies.ts';

export const route = api('FailJob', byKeyOrJobToken, async ({ job, json }) =>
  reply(200, await failJob(job, async () => check(FailJob, await json()))),
);

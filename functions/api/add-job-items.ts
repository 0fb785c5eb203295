// POST /jobs/{id}/items
import { AddJobItems } from '#contract/jobs.ts';
import { addJobItems } from '#domain/jobs/messages.ts';
import { api } from '#edge/api.ts';
import { check } from '#edge/check-schema.ts';
import { byKeyOrJobToken } from '#edge/job-caller.ts';
import { reply } from '#edge/replies.ts';
import { checkItems } from './job-items.ts';

export const route = api('AddJobItems', byKeyOrJobToken, async ({ job, json }) => {
  const body = await json();
  const sent = check(AddJobItems, body);
  checkItems(body, sent.items);
  await addJobItems(job, sent);
  return reply(200, { status: 'open' });
});

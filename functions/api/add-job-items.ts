// POST /jobs/{id}/items
import { AddJobItems } from '#contract/jobs.ts';
import { addJobItems } from '#domain/jobs/messages.ts';
import { api } from '#edge/api.ts';
import { byKeyOrJobToken } from '#edge/job-caller.ts';
import { reply } from '#edge/replies.ts';
import { withItems } from './job-items.ts';

export const route = api('AddJobItems', byKeyOrJobToken, async ({ job, json }) => {
  await addJobItems(job, async () => withItems(AddJobItems, await json()));
  return reply(200, { status: 'open' });
});

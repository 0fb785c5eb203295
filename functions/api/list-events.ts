// GET /runs/{id}/events
import { eventPage } from '#domain/events/page.ts';
import { findRun } from '#domain/runs/find-run.ts';
import { apiOn } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = apiOn('ListEvents', findRun, async ({ found, query }) =>
  reply(200, await eventPage(found, query)),
);

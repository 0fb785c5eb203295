// GET /runs/{id}/events
import { eventPage } from '#domain/events/page.ts';
import { findLog } from '#domain/runs/find-run.ts';
import { apiReading } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = apiReading('ListEvents', findLog, async ({ caller, query }) =>
  reply(200, await eventPage(await caller.reading, query)),
);

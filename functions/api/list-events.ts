// GET /runs/{id}/events
import { eventPage } from '#domain/events/page.ts';
import { findRun } from '#domain/runs/find-run.ts';
import { apiReading } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = apiReading('ListEvents', findRun, async ({ caller, query }) =>
  reply(200, await eventPage(await caller.reading, query)),
);

// GET /runs/{id}/events
import { eventPage } from '#domain/events/event-page.ts';
import { findLog } from '#domain/runs/find-run.ts';
import { api } from '#edge/api.ts';
import { byKeyReading } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('ListEvents', byKeyReading(findLog), async ({ caller, query }) =>
  reply(200, await eventPage(await caller.reading, query)),
);

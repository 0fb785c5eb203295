// GET /runs/{id}/events/stream, through the REST API or the function URL
import { openStream } from '#domain/events/stream.ts';
import { streamApi } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
};

export const handler = streamApi('StreamEvents', async ({ request, params, query, workspace_id }) => {
  // A browser that reconnects sends the header, so it is newer than the query (rules.md: stream 2).
  const lastEventId = request.headers['last-event-id'] || query.last_event_id;
  const stream = await openStream(workspace_id, params.id, lastEventId);
  return stream ? { status: 200, headers, stream } : reply(204, undefined);
});

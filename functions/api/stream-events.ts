// GET /runs/{id}/events/stream, through the REST API or the function URL
import { openStream } from '#domain/events/stream.ts';
import { checkEventToken } from '#domain/events/token.ts';
import { streamApi } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
};

export const handler = streamApi('StreamEvents', async ({ request, params, query }) => {
  const workspaceId = await checkEventToken(query.event_token, params.id);
  // The header is what a reconnecting browser sends, so it knows better (Spec: GET /runs/{id}/events/stream).
  const lastEventId = request.headers['last-event-id'] || query.last_event_id;
  const stream = await openStream(workspaceId, params.id, lastEventId);
  return stream ? { status: 200, headers, stream } : reply(204, undefined);
});

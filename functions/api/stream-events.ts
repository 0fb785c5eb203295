// GET /runs/{id}/events/stream, through the REST API or the function URL
import { limits } from '#contract/limits.ts';
import { openStream } from '#domain/events/event-stream.ts';
import { limitStream } from '#domain/events/limit-streams.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';
import { byKeyOrToken } from '#edge/stream-reader.ts';

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
};

export const route = api('StreamEvents', byKeyOrToken, async ({ request, params, query, reader }) => {
  // A browser that reconnects sends the header, so it is newer than the query (rules.md: stream 2).
  const lastEventId = request.headers['last-event-id'] || query.last_event_id;
  const maxMs = query.max_ms ?? limits.stream_max_duration_ms;
  const stream = await openStream(reader.workspace_id, params.id, lastEventId, maxMs);
  if (!stream) return reply(204, undefined);
  // A HEAD request opens no stream.
  const counted = request.method === 'HEAD' ? stream : await limitStream(reader, stream, maxMs);
  return { status: 200, headers, stream: counted };
});
